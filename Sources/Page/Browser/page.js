// The page of an app: a tab for each feature, its history beside it, and a console below.
import { ask, listen } from './server.js';
import { find, make } from './elements.js';
import { FeatureView } from './feature.js';
import { HistoryView } from './history.js';
import { ConsoleView } from './console.js';

/** What is shown, and what all parts of the page need. */
class PageView {
  /** The action after which the app is shown; undefined for the present. */
  at = undefined;
  moment = { position: 0, first: 0, last: 0 };
  isWritable = true;

  /** The panels of the features, by their names. */
  panels = new Map();

  /** Whether a moment other than the present is shown. */
  get isPast() { return this.at !== undefined && this.at !== this.moment.position; }

  get canChange() { return this.isWritable && !this.isPast; }

  async start() {
    // Whatever isn't handled where it was asked is said in the header.
    addEventListener('unhandledrejection', (event) => {
      if (typeof event.reason?.code !== 'string') return;
      event.preventDefault();
      if (event.reason.code !== 'lost') this.report(event.reason);
    });
    this.history = new HistoryView(this);
    this.console = new ConsoleView();
    await this.describe();
    for (const way of ['undo', 'redo']) {
      find(way).addEventListener('click', () => (find(way).getAttribute('aria-disabled') === 'true' ? undefined : ask(way)));
    }
    find('tabs').addEventListener('keydown', (event) => this.moveTab(event));
    addEventListener('hashchange', () => this.follow());
    new Keys(this);
    await this.follow();
    listen({
      changed: (moment) => this.change(moment),
      output: (text) => this.console.add(text.replace(/\n$/, '')),
      connected: (problem) => this.noteConnection(problem),
    });
  }

  async describe() {
    const description = await ask('describe');
    document.title = this.title = description.title;
    find('title').textContent = description.title;
    this.features = description.features;
    this.isWritable = !description.is_read_only;
    this.moment = description.moment;
    this.panels.clear();
    find('console').hidden = !this.isWritable;
    find('tabs').replaceChildren(...this.features.map(({ name }) => make('button', {
      type: 'button', role: 'tab', 'aria-selected': 'false', 'aria-controls': 'feature', 'data-name': name,
      onclick: () => this.go({ name }),
    }, name)));
    this.history.describe(this.features);
  }

  async change(moment) {
    const { version, edition } = this.moment;
    if (moment.version !== version) {
      // The code of the app is another, or the server is.
      await this.describe();
      return this.follow();
    }
    this.moment = moment;
    const isKnown = moment.edition === edition && this.at >= moment.first && this.at <= moment.last;
    if (this.at === undefined || isKnown) return this.show();
    this.report({ message: 'Others have changed the history: this is the present.' });
    return this.lookAt(undefined);
  }

  // Addresses: #lending for a feature, #lending.tools/2 for a record, and @12 after them for the moment after an action

  address({ name, id, at = this.isPast ? this.at : undefined }) {
    return `#${encodeURIComponent(name)}${id === undefined ? '' : `/${id}`}${at === undefined ? '' : `@${at}`}`;
  }

  go(place) {
    const address = this.address(place);
    if (location.hash !== address) location.hash = address; else this.follow();
  }

  /** What the address names: a path, and the id of a record and the number of an action, if it has them. */
  get place() {
    const [, path, id, at] = location.hash.match(/^#([^/@]*)(?:\/(\d+))?(?:@(\d+))?$/) ?? [];
    const whole = (text) => (text === undefined ? undefined : Number(text));
    try {
      return { path: decodeURIComponent(path ?? ''), id: whole(id), at: whole(at) };
    } catch {
      return { path: '' };
    }
  }

  /** Shows what the address names. */
  async follow() {
    const { path, id, at } = this.place;
    const feature = this.features.find(({ name, fields }) => name === path || fields.some((field) => field.path === path))
      ?? this.features[0];
    const { first, last } = this.moment;
    const isKnown = at === undefined || (at >= first && at <= last);
    if (!isKnown) this.report({ message: `There is no action #${at}: this is the present.` });
    if (feature) this.openFeature(feature);
    this.setMoment(isKnown && at !== this.moment.position ? at : undefined);
    if (id === undefined) this.history.follow(); else this.history.follow(path, id);
    await this.show();
    if (id !== undefined) await this.feature?.tables.find((table) => table.field.path === path)?.reveal(id);
  }

  openFeature(feature) {
    for (const tab of find('tabs').children) {
      const isSelected = tab.dataset.name === feature.name;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
    }
    // What was typed into the forms of another feature stays there.
    if (!this.panels.has(feature.name)) this.panels.set(feature.name, new FeatureView(feature, this));
    this.feature = this.panels.get(feature.name);
    if (this.feature.element.isConnected) return;
    find('feature').setAttribute('aria-label', feature.name);
    find('feature').replaceChildren(this.feature.element);
  }

  moveTab(event) {
    const step = { ArrowLeft: 'previousElementSibling', ArrowRight: 'nextElementSibling' }[event.key];
    const next = step && event.target[step];
    if (!next) return;
    next.focus();
    next.click();
  }

  setMoment(at) {
    this.at = at;
    this.history.showMoment();
  }

  /** Shows the app after an action, or at present, without a new entry in the browser's own history. */
  async lookAt(number) {
    this.setMoment(number === this.moment.position ? undefined : number);
    const { path, id } = this.place;
    history.replaceState(null, '', this.address({ name: path || (this.feature?.feature.name ?? ''), id }));
    if (number === undefined) return this.show();
    return this.showFeature();
  }

  /** Shows the moment that is looked at, or the present. */
  async show() {
    await Promise.all([this.showFeature(), this.history.show()]);
  }

  /** Shows the values of the feature; one at a time: what is asked for meanwhile is shown afterwards. */
  async showFeature() {
    this.isStale = true;
    if (this.isShowing) return;
    this.isShowing = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        await this.feature?.show();
      }
    } finally {
      this.isShowing = false;
      // What was asked for while this failed.
      if (this.isStale) this.showFeature();
    }
  }

  /** Prints the page, with all rows of its tables. */
  async print() {
    const printWith = ([table, ...others]) => (table ? table.withAllRows(() => printWith(others)) : print());
    await printWith(this.feature?.tables ?? []);
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

  /**
   * The records that values of a type refer to as choices, by their ids and labels: all, or, of many, a function that finds some
   * by a text. Of any other type, none.
   */
  async choices({ list: path, is }) {
    if (is !== 'reference') return [];
    const field = this.features.flatMap((feature) => feature.fields).find((field) => field.path === path);
    const some = async (filter) => {
      const { rows, found } = await ask('records', { path, filter, count: 200 });
      return { options: rows.map((row) => [String(row.id), String(row[field?.label] ?? `#${row.id}`)]), found };
    };
    const { options, found } = await some('');
    return found > options.length ? async (text) => (await some(text)).options : options;
  }

  report(problem) {
    this.say(problem.message, true);
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => this.noteConnection(this.lost), 8000);
  }

  /** Says why the server can't be reached, if it can't. */
  noteConnection(problem) {
    this.lost = problem;
    this.say(problem ?? (this.isWritable ? '' : 'This page only shows the app.'), problem !== undefined);
  }

  say(text, isBad) {
    const status = find('status');
    status.classList.toggle('bad', isBad);
    // It isn't read again.
    if (status.textContent !== text) status.textContent = text;
  }
}

/** The keys for what the page shows. */
class Keys {
  constructor(view) {
    this.view = view;
    addEventListener('keydown', (event) => this.pressed(event));
  }

  pressed(event) {
    if (find('keys').open) return;
    const isTyping = event.target.matches('input:not([type=checkbox]):not([type=range]), select, textarea');
    const action = event.key === 'Escape' ? () => this.leave(isTyping && event.target)
      : event.ctrlKey || event.metaKey ? this.withControl(event, isTyping)
        : isTyping || event.altKey || event.repeat ? undefined : this.plain(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  }

  leave(element) {
    if (element) element.blur(); else if (this.view.isPast) this.view.lookAt(undefined);
  }

  withControl({ key, shiftKey }, isTyping) {
    if (key === 'p') return () => this.view.print();
    if (isTyping) return undefined;
    return { z: () => find(shiftKey ? 'redo' : 'undo').click(), Z: () => find('redo').click(), y: () => find('redo').click() }[key];
  }

  plain(key) {
    const tab = find('tabs').children[Number(key) - 1];
    const { feature } = this.view;
    return tab ? () => tab.click() : {
      '?': () => find('keys').showModal(),
      t: () => feature?.element.querySelector('td[tabindex="0"]')?.focus(),
      f: () => feature?.goToForm(),
      '/': () => find('search').focus(),
      h: () => find('moment').focus(),
      ':': () => find('code').focus(),
    }[key];
  }
}

new PageView().start().catch((problem) => {
  find('status').textContent = problem.message;
  find('status').classList.add('bad');
});
