// The history: what was done, and a slider through it.
import { ask } from "./server.js";
import { make } from "./elements.js";

const find = (id) => document.getElementById(id);

export class HistoryView {
  constructor(view) {
    this.view = view;
    this.entries = [];
    this.search = "";
    this.record = {};
    find("search").addEventListener("input", (event) => { this.search = event.target.value; this.show(); });
    find("all-records").addEventListener("click", () => this.showRecord());
    find("more").addEventListener("click", () => this.showMore());
    find("moment").addEventListener("input", (event) => view.lookAt(Number(event.target.value)));
    find("to-present").addEventListener("click", () => view.lookAt(undefined));
    find("go-here").addEventListener("click", async () => {
      const number = view.at;
      const problem = await view.attempt("jump", { number });
      if (problem) view.report(problem); else view.lookAt(undefined);
    });
  }

  /** Shows only the actions on a record; without one, all again. */
  showRecord(path, id) {
    this.record = path === undefined ? {} : { path, id };
    find("record").hidden = path === undefined;
    find("record-text").textContent = `Only ${path} ${id}`;
    return this.show();
  }

  /** Shows the last actions, and where the slider stands. */
  async show() {
    this.asked = (this.asked ?? 0) + 1;
    const asked = this.asked;
    const answer = await ask("history", { ...this.record, search: this.search, count: Math.max(50, Math.min(100, this.entries.length)) });
    if (asked !== this.asked) return;
    this.entries = answer.entries;
    this.showEntries(answer.has_more);
    this.showMoment();
  }

  async showMore() {
    const before = this.entries.at(-1)?.number;
    const answer = await ask("history", { ...this.record, search: this.search, before, count: 100 });
    this.entries.push(...answer.entries);
    this.showEntries(answer.has_more);
  }

  showEntries(hasMore) {
    find("actions").replaceChildren(...this.entries.map((entry) => this.entry(entry)));
    find("more").hidden = !hasMore;
  }

  entry(entry) {
    const time = new Date(entry.time * 1000).toLocaleString();
    return make("li", { class: entry.is_undone ? "undone" : "" },
      make("code", {}, entry.text),
      make("p", { class: "faint" }, entry.changes.join(" · ")),
      make("p", { class: "faint" }, `#${entry.number} · ${time}${entry.author ? ` · ${entry.author}` : ""} `,
        make("button", { type: "button", onclick: () => this.view.lookAt(entry.number) }, "Look"), " ",
        make("button", { type: "button", onclick: () => navigator.clipboard.writeText(entry.text) }, "Copy as Lua")));
  }

  /** Shows the moment that the tabs show. */
  showMoment() {
    const { position, first, last } = this.view.moment;
    const at = this.view.at ?? position;
    const slider = find("moment");
    [slider.min, slider.max, slider.value] = [first, last, at];
    find("moment-text").textContent = this.view.at === undefined
      ? `Action ${position.toLocaleString()} of ${last.toLocaleString()}`
      : `The past: after action ${at.toLocaleString()} of ${last.toLocaleString()}`;
    find("to-present").hidden = this.view.at === undefined;
    find("go-here").hidden = this.view.at === undefined || !this.view.isWritable;
    const next = this.entries.find((entry) => !entry.is_undone);
    const undone = this.entries.findLast((entry) => entry.is_undone);
    const undo = find("undo");
    undo.disabled = !this.view.canChange || position <= first;
    undo.textContent = next ? `Undo ${next.text}` : "Undo";
    undo.title = undo.textContent;
    const redo = find("redo");
    redo.disabled = !this.view.canChange || position >= last;
    redo.textContent = undone ? `Redo ${undone.text}` : "Redo";
    redo.title = redo.textContent;
  }
}
