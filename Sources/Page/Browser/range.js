// Two moments of the history: what differs between them, and a scenario of the actions from the one to the other.
import { ask } from './server.js';
import { change, counted, find, make } from './elements.js';

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

  /** The numbers that were typed; nothing, and the browser says why, if they are none. */
  get numbers() {
    const inputs = [find('first'), find('last')];
    if (!inputs.every((one) => one.reportValidity())) return undefined;
    const [first, last] = inputs.map((one) => Number(one.value));
    return { first, last };
  }

  async compare() {
    const { numbers } = this;
    if (!numbers) return;
    const { changes, rest, uncomputed } = await ask('compare', numbers);
    find('differences').replaceChildren(
      make('p.quiet', changes.length || uncomputed.length
        ? `From the state after #${numbers.first} to that after #${numbers.last}:` : 'There is no difference.'),
      ...changes.map(change), ...uncomputed.map((path) => make('p.quiet', `${path} not computed`)),
      rest ? make('p.quiet', `and ${counted(rest, 'more difference')}`) : '');
  }

  /** Offers the scenario as a file: of the actions after the first moment. */
  async saveScenario() {
    const { numbers } = this;
    if (!numbers) return;
    const [first, last] = [numbers.first + 1, numbers.last];
    const name = `${this.view.title} ${first} to ${last}`;
    const { text } = await ask('scenario', { first, last, name });
    const link = make('a', {
      href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })),
      download: `${name.replaceAll(' ', '-')}.scenario.lua`,
    });
    link.click();
    URL.revokeObjectURL(link.href);
    find('differences').replaceChildren(make('p.quiet', `The scenario was saved as ${link.download}:`), make('pre', text));
  }
}
