// A console: Lua, with what it gives and prints.
import { ask } from './server.js';
import { find, make } from './elements.js';

export class ConsoleView {
  constructor() {
    [this.inputs, this.place] = [[], 0];
    /** The tickets of what hasn't ended. */
    this.tickets = new Set();
    const code = find('code');
    find('input').addEventListener('submit', (event) => { event.preventDefault(); return this.run(code.value); });
    find('stop').addEventListener('click', () => {
      code.focus();
      return Promise.all([...this.tickets].map((ticket) => ask('cancel', { ticket })));
    });
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
    this.tickets.add(ticket);
    // Most code ends at once.
    setTimeout(() => this.showStop(), 300);
    try {
      const answer = await ask('run', { code, ticket });
      if (answer.result) this.add(answer.result);
    } catch (refusal) {
      this.add(refusal.message, '.bad');
    }
    this.tickets.delete(ticket);
    this.showStop();
  }

  showStop() { find('stop').hidden = this.tickets.size === 0; }

  async complete(code) {
    const answer = await ask('complete', { code });
    if (find('code').value !== code) return;
    find('completions').replaceChildren(...answer.texts.map((text) => make('option', { value: text })));
    find('hint').textContent = answer.hint ?? '';
  }

  add(text, kind = '') {
    const log = find('log');
    log.append(make(`li${kind}`, make('pre', text)));
    while (log.children.length > 500) log.firstElementChild.remove();
    log.scrollTop = log.scrollHeight;
  }
}
