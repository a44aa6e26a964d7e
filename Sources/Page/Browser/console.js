// A console: Lua, with what it gives and prints.
import { ask } from "./server.js";
import { make } from "./elements.js";

const find = (id) => document.getElementById(id);

export class ConsoleView {
  constructor() {
    this.inputs = [];
    this.place = 0;
    const code = find("code");
    find("input").addEventListener("submit", (event) => { event.preventDefault(); this.run(code.value); });
    code.addEventListener("input", () => this.complete(code.value));
    code.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.place = Math.max(0, Math.min(this.inputs.length, this.place + step));
      code.value = this.inputs[this.place] ?? "";
    });
  }

  async run(text) {
    if (text.trim() === "") return;
    this.inputs.push(text);
    this.place = this.inputs.length;
    find("code").value = "";
    this.add("> " + text);
    try {
      const answer = await ask("run", { code: text });
      if (answer.result) this.add(answer.result);
    } catch (refusal) {
      this.add(refusal.message, "bad");
    }
  }

  async complete(text) {
    const answer = await ask("complete", { code: text });
    find("completions").replaceChildren(
      ...answer.candidates.map((candidate) => make("option", { value: text.slice(0, answer.start) + candidate.text })));
  }

  /** Adds a text to the log. */
  add(text, kind = "") {
    const log = find("log");
    log.append(make("li", { class: kind }, make("pre", {}, text)));
    while (log.children.length > 500) log.firstElementChild.remove();
    log.scrollTop = log.scrollHeight;
  }
}
