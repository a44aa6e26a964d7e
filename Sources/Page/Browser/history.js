// The history: what was done, and a slider through it.
import { ask, lastTime } from './server.js';
import { arrange, change, copyButton, counted, find, make, number } from './elements.js';

const batchSize = 50;

export class HistoryView {
  constructor(view) {
    this.view = view;
    this.entries = [];
    /** The elements of the entries, by their numbers. */
    this.elements = new Map();
    this.filter = { search: '' };
    this.range = new RangeView(view);
    find('search').addEventListener('input', (event) => { this.filter.search = event.target.value; return this.show(); });
    find('of-feature').addEventListener('change', (event) => { this.filter.feature = event.target.value || undefined; return this.show(); });
    find('all-records').addEventListener('click', () => view.go({ name: view.feature.feature.name }));
    find('more').addEventListener('click', () => this.showMore());
    find('moment').addEventListener('input', (event) => view.lookAt(Number(event.target.value)));
    find('to-present').addEventListener('click', () => { find('moment').focus(); return view.lookAt(undefined); });
    find('go-here').addEventListener('click', async () => {
      const problem = await view.attempt('jump', { number: view.at });
      find('moment').focus();
      if (problem) view.report(problem); else view.lookAt(undefined);
    });
  }

  /** Offers the app's features as filters. */
  describe(features) {
    find('of-feature').replaceChildren(
      make('option', { value: '' }, 'all features'), ...features.map(({ name }) => make('option', { value: name }, name)));
    find('of-feature').value = this.filter.feature ?? '';
    find('of-feature').parentElement.hidden = features.length < 2;
  }

  /** Shows only the actions on a record from now on; without one, all again. */
  follow(path, id) {
    [this.filter.path, this.filter.id] = [path, id];
    find('record').hidden = path === undefined;
    find('record-text').textContent = `Only ${path} ${id}`;
  }

  /** Shows the last actions, and where the slider stands; earlier ones that are shown stay. */
  async show() {
    const isLast = lastTime(this);
    const answer = await ask('history', { ...this.filter, count: batchSize });
    if (!isLast()) return;
    const context = JSON.stringify([this.filter, this.view.moment.edition, this.view.moment.first]);
    if (context !== this.context) [this.context, this.entries, this.hasMore] = [context, [], answer.has_more];
    const first = answer.entries.at(-1)?.number ?? Infinity;
    const earlier = this.entries.filter((entry) => entry.number < first);
    // Between the ones and the others, some may be missing.
    if (earlier.length < this.entries.length || !answer.has_more) this.entries = [...answer.entries, ...earlier];
    else [this.entries, this.hasMore] = [answer.entries, answer.has_more];
    [this.undo, this.redo] = [answer.undo, answer.redo];
    this.showEntries();
    this.showMoment();
  }

  async showMore() {
    const [context, before] = [this.context, this.entries.at(-1)?.number];
    const answer = await ask('history', { ...this.filter, before, count: batchSize });
    if (this.context !== context || this.entries.at(-1)?.number !== before) return;
    this.entries.push(...answer.entries);
    this.hasMore = answer.has_more;
    this.showEntries();
  }

  /** Shows the entries; those of one command are together. */
  showEntries() {
    const known = this.elements;
    this.elements = new Map();
    const groups = new Map([...find('actions').children].map((one) => [one.dataset.command, one]));
    const items = new Map();
    for (const entry of this.entries) {
      const element = this.element(entry, known.get(entry.number));
      this.elements.set(entry.number, element);
      const { first, last } = entry.command ?? {};
      const command = first === last ? `#${entry.number}` : `${first}-${last}`;
      if (first === last) items.set(command, [element]); else items.set(command, [...items.get(command) ?? [], element]);
    }
    arrange(find('actions'), [...items].map(([command, elements]) => {
      if (command.startsWith('#')) return elements[0];
      const [first, last] = command.split('-').map(Number);
      const group = groups.get(command) ?? make('li.group', { 'data-command': command },
        make('p.quiet', `${counted(last - first + 1, 'action')} of one command`), make('ol'));
      arrange(group.lastElementChild, elements);
      return group;
    }));
    find('more').hidden = !this.hasMore;
  }

  /** The element of an entry: the one that is there, unless something has changed in it. */
  element(entry, known) {
    const content = JSON.stringify([entry, this.view.feature?.feature.name]);
    if (known?.content === content) return known;
    const { changes, rest, uncomputed } = entry.changes;
    const moment = this.view.address({ name: this.view.feature?.feature.name ?? '', at: entry.number });
    const element = make('li.entry', { 'data-number': entry.number },
      make('div.row', make('code', entry.text), copyButton(entry.code ?? entry.text, 'Copy as Lua')),
      ...changes.map(change), rest ? make('p.quiet', `and ${counted(rest, 'more change')}`) : null,
      ...uncomputed.map((path) => make('p.quiet', `${path} not computed`)),
      make('p.quiet', make('a', { href: moment, title: 'Shows the app after this action' }, `#${entry.number}`),
        ` · ${new Date(entry.time * 1000).toLocaleString()}${entry.author ? ` · ${entry.author}` : ''} `,
        make('span.note', ''),
        make('button.plain', { type: 'button', onclick: () => this.range.compareWith(entry.number) }, 'Compare')));
    element.content = content;
    return element;
  }

  /** Shows the moment that the tabs show, and what can be undone. */
  showMoment() {
    const { position, first, last } = this.view.moment;
    const { at, isPast } = this.view;
    document.body.classList.toggle('past', isPast);
    const slider = find('moment');
    [slider.min, slider.max, slider.value] = [first, last, at ?? position];
    const place = `action ${number(at ?? position)} of ${number(last)}`;
    find('moment-text').textContent = !isPast ? `A${place.slice(1)}` : at < position ? `The past: after ${place}` : `Undone: after ${place}`;
    find('to-present').hidden = !isPast;
    find('go-here').hidden = !isPast || !this.view.isWritable;
    for (const [entry, element] of this.elements) {
      const isUndone = entry > position;
      element.classList.toggle('undone', isUndone);
      element.querySelector('.note').textContent = isUndone ? '· undone ' : '';
      if (entry === at) element.setAttribute('aria-current', 'true'); else element.removeAttribute('aria-current');
    }
    this.showButton('undo', 'Undo', this.undo);
    this.showButton('redo', 'Redo', this.redo);
  }

  /** Says on a button what it does; nothing if there is nothing to do. It keeps the focus also then. */
  showButton(id, verb, text) {
    const button = find(id);
    button.setAttribute('aria-disabled', String(!this.view.canChange || !text));
    button.textContent = button.title = text ? `${verb} ${text}` : verb;
  }
}

/** Two moments of the history: what differs between them, and a scenario of the actions from the one to the other. */
class RangeView {
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
