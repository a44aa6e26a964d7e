// The history: what was done, and a slider through it.
import { ask } from './server.js';
import { change, copyButton, counted, make, number } from './elements.js';
import { RangeView } from './range.js';

const find = (id) => document.getElementById(id);

export class HistoryView {
  constructor(view) {
    this.view = view;
    this.entries = [];
    this.filter = { search: '' };
    this.range = new RangeView(view);
    find('search').addEventListener('input', (event) => { this.filter.search = event.target.value; this.show(); });
    const features = find('of-feature');
    features.append(...view.features.map((feature) => make('option', { value: feature.name }, feature.name)));
    features.parentElement.hidden = view.features.length < 2;
    features.onchange = () => { this.filter.feature = features.value || undefined; this.show(); };
    find('all-records').addEventListener('click', () => view.go({ name: view.feature.feature.name }));
    find('more').addEventListener('click', () => this.showMore());
    find('moment').addEventListener('input', (event) => view.lookAt(Number(event.target.value)));
    find('to-present').addEventListener('click', () => view.lookAt(undefined));
    find('go-here').addEventListener('click', async () => {
      const problem = await view.attempt('jump', { number: view.at });
      if (problem) view.report(problem); else view.lookAt(undefined);
    });
  }

  /** Shows only the actions on a record from now on; without one, all again. */
  follow(path, id) {
    [this.filter.path, this.filter.id] = [path, id];
    find('record').hidden = path === undefined;
    find('record-text').textContent = `Only ${path} ${id}`;
  }

  /** Shows the last actions, and where the slider stands. */
  async show() {
    this.asked = (this.asked ?? 0) + 1;
    const asked = this.asked;
    const answer = await ask('history', { ...this.filter, count: Math.max(50, Math.min(100, this.entries.length)) });
    if (asked !== this.asked) return;
    this.entries = answer.entries;
    this.showEntries(answer.has_more);
    this.showMoment();
    this.showButton('undo', answer.undo);
    this.showButton('redo', answer.redo);
  }

  async showMore() {
    const before = this.entries.at(-1)?.number;
    const answer = await ask('history', { ...this.filter, before, count: 100 });
    this.entries.push(...answer.entries);
    this.showEntries(answer.has_more);
  }

  /** Shows the entries; those of one command are together. */
  showEntries(hasMore) {
    const items = [];
    for (const entry of this.entries) {
      const { first, last } = entry.command ?? {};
      if (first === last) { items.push(this.entry(entry)); continue; }
      if (items.at(-1)?.dataset.first !== String(first)) {
        items.push(make('li.group', { 'data-first': first },
          make('p.quiet', `${counted(last - first + 1, 'action')} of one command`), make('ol')));
      }
      items.at(-1).lastElementChild.append(this.entry(entry));
    }
    find('actions').replaceChildren(...items);
    find('more').hidden = !hasMore;
  }

  entry(entry) {
    const { changes, rest } = entry.changes;
    const moment = this.view.address({ name: this.view.feature?.feature.name, at: entry.number });
    return make(entry.is_undone ? 'li.entry.undone' : 'li.entry', { 'data-number': entry.number },
      make('div.row', make('code', entry.text), copyButton(entry.text, 'Copy as Lua')),
      ...changes.map(change), rest ? make('p.quiet', `and ${counted(rest, 'more change')}`) : null,
      make('p.quiet', make('a', { href: moment, title: 'Shows the app after this action' }, `#${entry.number}`),
        ` · ${new Date(entry.time * 1000).toLocaleString()}${entry.author ? ` · ${entry.author}` : ''} `,
        make('button.plain', { type: 'button', onclick: () => this.range.compareWith(entry.number) }, 'Compare')));
  }

  /** Shows the moment that the tabs show. */
  showMoment() {
    const { position, first, last } = this.view.moment;
    const at = this.view.at ?? position;
    const slider = find('moment');
    [slider.min, slider.max, slider.value] = [first, last, at];
    find('moment-text').textContent = this.view.at === undefined
      ? `Action ${number(position)} of ${number(last)}` : `The past: after action ${number(at)} of ${number(last)}`;
    find('to-present').hidden = this.view.at === undefined;
    find('go-here').hidden = this.view.at === undefined || !this.view.isWritable;
    for (const item of find('actions').querySelectorAll('.entry')) {
      if (Number(item.dataset.number) === this.view.at) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    }
  }

  /** Says on a button what it does; null if there is nothing to do. */
  showButton(id, text) {
    const button = find(id);
    button.disabled = !this.view.canChange || text === null;
    const verb = id === 'undo' ? 'Undo' : 'Redo';
    button.textContent = button.title = text === null ? verb : `${verb} ${text}`;
  }
}
