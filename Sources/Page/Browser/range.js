// Two moments of the history: what differs between them, and a scenario of the actions from the one to the other.
import { ask } from './server.js';
import { change, counted, make } from './elements.js';

const find = (id) => document.getElementById(id);

export class RangeView {
  constructor(view) {
    this.view = view;
    find('compare').addEventListener('click', () => this.compare());
    find('save-scenario').addEventListener('click', () => this.saveScenario());
  }

  /** Compares the state after an action with that of the moment that is shown. */
  compareWith(earlier) {
    find('range').open = true;
    const shown = this.view.at ?? this.view.moment.position;
    [find('first').value, find('last').value] = [Math.min(earlier, shown), Math.max(earlier, shown)];
    find('range').scrollIntoView({ block: 'nearest' });
    return this.compare();
  }

  get numbers() { return { first: Number(find('first').value), last: Number(find('last').value) }; }

  async compare() {
    const { first, last } = this.numbers;
    try {
      const { changes, rest } = await ask('compare', this.numbers);
      find('differences').replaceChildren(
        make('p.quiet', changes.length ? `From the state after #${first} to that after #${last}:` : 'There is no difference.'),
        ...changes.map(change), rest ? make('p.quiet', `and ${counted(rest, 'more difference')}`) : '');
    } catch (refusal) {
      this.view.report(refusal);
    }
  }

  /** Offers the scenario as a file: of the actions after the first moment. */
  async saveScenario() {
    const { first, last } = this.numbers;
    const name = `${this.view.title} ${first + 1} to ${last}`;
    try {
      const { text } = await ask('scenario', { first: first + 1, last, name });
      const link = make('a', {
        href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })),
        download: `${name.replaceAll(' ', '-')}.scenario.lua`,
      });
      link.click();
      URL.revokeObjectURL(link.href);
      find('differences').replaceChildren(make('p.quiet', `The scenario was saved as ${link.download}:`), make('pre', text));
    } catch (refusal) {
      this.view.report(refusal);
    }
  }
}
