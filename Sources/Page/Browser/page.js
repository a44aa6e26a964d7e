// The page of an app: a tab for each feature, its history beside it, and a console below.
import { ask, listen } from './server.js';
import { make } from './elements.js';
import { FeatureView } from './feature.js';
import { HistoryView } from './history.js';
import { ConsoleView } from './console.js';

const find = (id) => document.getElementById(id);

/** What is shown, and what all parts of the page need. */
class PageView {
  /** The action after which the app is shown; undefined for the present. */
  at = undefined;
  moment = { position: 0, first: 0, last: 0 };
  isWritable = true;
  isConnected = true;

  get canChange() { return this.isWritable && this.at === undefined; }

  async start() {
    await this.describe();
    find('console').hidden = !this.isWritable;
    this.history = new HistoryView(this);
    this.console = new ConsoleView();
    find('undo').addEventListener('click', () => this.travel('undo'));
    find('redo').addEventListener('click', () => this.travel('redo'));
    addEventListener('hashchange', () => this.follow());
    addEventListener('keydown', (event) => this.pressed(event));
    await this.follow();
    listen({
      changed: (moment) => this.change(moment),
      output: (text) => this.console.add(text.replace(/\n$/, '')),
      connected: (isConnected) => this.noteConnection(isConnected),
    });
  }

  async describe() {
    const description = await ask('describe');
    document.title = this.title = description.title;
    find('title').textContent = description.title;
    this.features = description.features;
    this.isWritable = !description.is_read_only;
    this.moment = description.moment;
    find('tabs').replaceChildren(...this.features.map(({ name }) => make('button', {
      type: 'button', role: 'tab', 'aria-selected': 'false', 'data-name': name, onclick: () => this.go({ name }),
    }, name)));
  }

  async change(moment) {
    const isReloaded = moment.version !== this.moment.version;
    this.moment = moment;
    if (!isReloaded) return this.show();
    // The code of the app is another.
    await this.describe();
    this.feature = undefined;
    return this.follow();
  }

  // Addresses: #lending for a feature, #lending.tools/2 for a record, and @12 after them for the moment after an action

  address({ name, id, at = this.at }) {
    return `#${encodeURIComponent(name)}${id === undefined ? '' : `/${id}`}${at === undefined ? '' : `@${at}`}`;
  }

  go(place) { location.hash = this.address(place); }

  /** Shows what the address names. */
  async follow() {
    const [, path, id, at] = decodeURIComponent(location.hash).match(/^#([^/@]*)(?:\/(\d+))?(?:@(\d+))?$/) ?? [];
    const feature = this.features.find(({ name, fields }) => name === path || fields.some((field) => field.path === path))
      ?? this.features[0];
    if (!feature) return;
    this.setMoment(at === undefined ? undefined : Number(at));
    if (this.feature?.feature !== feature) this.openFeature(feature);
    if (id === undefined) this.history.follow(); else this.history.follow(path, Number(id));
    await this.show();
    if (id !== undefined) await this.feature.tables.find((table) => table.field.path === path)?.reveal(Number(id));
  }

  openFeature(feature) {
    for (const tab of find('tabs').children) tab.setAttribute('aria-selected', String(tab.dataset.name === feature.name));
    this.feature = new FeatureView(feature, this);
    find('feature').replaceChildren(this.feature.element);
  }

  setMoment(at) {
    this.at = at === this.moment.position ? undefined : at;
    document.body.classList.toggle('past', this.at !== undefined);
    this.history.showMoment();
  }

  /** Shows the app after an action, or at present, without a new entry in the browser's own history. */
  lookAt(number) {
    this.setMoment(number);
    history.replaceState(null, '', this.address({ name: this.feature.feature.name }));
    return this.show();
  }

  /** Shows the moment that is looked at, or the present. One at a time: what changed meanwhile is shown afterwards. */
  async show() {
    this.isStale = true;
    if (this.isShowing) return;
    this.isShowing = true;
    while (this.isStale) {
      this.isStale = false;
      try {
        await Promise.all([this.feature?.show(), this.history.show()]);
      } catch (refusal) {
        if (refusal.code !== 'lost') this.report(refusal);
      }
    }
    this.isShowing = false;
  }

  async travel(way) {
    const problem = await this.attempt(way, {});
    if (problem) this.report(problem);
  }

  /** Asks for a change, and returns why it is refused; undefined if it isn't. */
  async attempt(name, question) {
    try {
      await ask(name, question);
      return undefined;
    } catch (refusal) {
      return refusal;
    }
  }

  /** The first records of a list as choices: their ids and labels. */
  async choices(path) {
    const field = this.features.flatMap((feature) => feature.fields).find((field) => field.path === path);
    const answer = await ask('records', { path, count: 200 });
    return answer.rows.map((row) => [String(row.id), String(row[field?.label] ?? `#${row.id}`)]);
  }

  /** The labels for a value of a type that refers to records. */
  async labels(type, value) {
    if (type.is !== 'reference' || value === null || value === undefined) return {};
    return { [type.list]: Object.fromEntries(await this.choices(type.list)) };
  }

  report(problem) {
    find('status').textContent = problem.message;
    find('status').classList.add('bad');
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => this.noteConnection(this.isConnected), 8000);
  }

  noteConnection(isConnected) {
    this.isConnected = isConnected;
    find('status').classList.toggle('bad', !isConnected);
    find('status').textContent = !isConnected ? 'The connection to the app is lost. It is tried again …'
      : this.isWritable ? '' : 'This page only shows the app.';
  }

  pressed(event) {
    const isTyping = event.target.matches('input:not([type=checkbox]):not([type=range]), select, textarea');
    if (event.key === 'Escape' && !find('keys').open) {
      if (isTyping) event.target.blur();
      else if (this.at !== undefined) this.lookAt(undefined);
      return;
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const tab = find('tabs').children[Number(event.key) - 1];
    const action = tab ? () => tab.click() : {
      '?': () => find('keys').showModal(),
      z: () => find('undo').click(),
      y: () => find('redo').click(),
      t: () => this.feature.element.querySelector('td[tabindex="0"]')?.focus(),
      f: () => this.feature.beginForm(),
      '/': () => find('search').focus(),
      h: () => find('moment').focus(),
      ':': () => find('code').focus(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

new PageView().start().catch((problem) => {
  find('status').textContent = problem.message;
  find('status').classList.add('bad');
});
