// A console: Lua, with what it gives and prints.
import { ask } from './server.js';
import { make } from './elements.js';

const find = (id) => document.getElementById(id);

export class ConsoleView {
  constructor() {
    this.inputs = [];
    this.place = 0;
    const code = find('code');
    find('input').addEventListener('submit', (event) => { event.preventDefault(); this.run(code.value); });
    find('stop').addEventListener('click', () => ask('cancel', { ticket: this.ticket }));
    code.addEventListener('input', () => this.complete(code.value));
    code.addEventListener('keydown', (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.place = Math.max(0, Math.min(this.inputs.length, this.place + step));
      code.value = this.inputs[this.place] ?? '';
    });
  }

  async run(code) {
    if (code.trim() === '') return;
    this.inputs.push(code);
    this.place = this.inputs.length;
    find('code').value = find('hint').textContent = '';
    this.add(`> ${code}`);
    const ticket = String(Math.random());
    this.ticket = ticket;
    // Most code ends at once.
    const timer = setTimeout(() => { find('stop').hidden = false; }, 300);
    try {
      const answer = await ask('run', { code, ticket });
      if (answer.result) this.add(answer.result);
    } catch (refusal) {
      this.add(refusal.message, '.bad');
    }
    clearTimeout(timer);
    if (this.ticket === ticket) find('stop').hidden = true;
  }

  async complete(code) {
    const answer = await ask('complete', { code });
    if (find('code').value !== code) return;
    find('completions').replaceChildren(...answer.texts.map((text) => make('option', { value: text })));
    find('hint').textContent = answer.hint ?? '';
  }

  /** Adds a text to the log. */
  add(text, kind = '') {
    const log = find('log');
    log.append(make(`li${kind}`, make('pre', text)));
    while (log.children.length > 500) log.firstElementChild.remove();
    log.scrollTop = log.scrollHeight;
  }
}
