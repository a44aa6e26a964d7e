// A list as a table: only the rows in sight are asked for, whatever the length of the list.
import { ask, lastTime } from './server.js';
import { arrange, counted, make, number } from './elements.js';
import { isNumeric, shown } from './values.js';
import { CallForm } from './call.js';
import { Editor } from './editor.js';

const rowHeight = parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10);
const pageSize = 100;
const printedRows = 2000;

/** What tells an element from others: the id of a record, the key of a map, or the value itself. */
const identity = (row) => String(row.id ?? row.key ?? row.value);

/** The table of a list, a set or a map; `view` says what moment is shown, and shows errors. */
export class ListTable {
  constructor(field, feature, view) {
    [this.field, this.feature, this.view] = [field, feature, view];
    [this.descending, this.filter, this.size, this.offset, this.labels] = [false, '', pageSize, 0, {}];
    this.columns = field.columns.length
      ? field.columns : [{ name: 'value', type: { is: 'other' }, is_editable: false }];
    /** The rows that were asked for last, by their identities, and their elements. */
    this.values = new Map();
    this.known = new Map();
    this.chosen = new Set();
    this.calls = view.isWritable ? this.callsForRecords() : [];
    this.count = make('span.quiet');
    this.head = make('tr', this.calls.length ? make('th.chooser', { scope: 'col' }, make('span.hidden', 'Chosen')) : null,
      ...this.columns.map((column) => this.heading(column)));
    this.body = make('tbody', { onkeydown: (event) => this.pressed(event) });
    this.table = make('table', { role: 'grid', 'aria-label': field.name }, make('thead', this.head), this.body);
    this.rows = make('div.rows', { tabindex: -1, onscroll: () => this.scrolled() }, this.table);
    this.problem = make('p.bad', { role: 'alert' });
    this.choice = make('div.choice', { hidden: true });
    const search = make('input', { type: 'search', 'aria-label': `Filter ${field.name}`, oninput: () => this.search(search.value) });
    this.element = make('section.list',
      make('div.bar', make('h3', field.name), this.count, make('label.search', 'Filter ', search)),
      field.help ? make('p.help', field.help) : null, this.rows, this.problem, this.choice);
  }

  /** The functions whose first parameter is a record of the list. */
  callsForRecords() {
    const isOnly = this.feature.fields.filter((field) => field.kind === 'list').length === 1;
    return this.field.kind !== 'list' ? [] : this.feature.calls.filter(({ waits, parameters: [first] }) =>
      !waits && first && (first.type.list === this.field.path || (isOnly && first.name === 'id' && first.type.is === 'integer')));
  }

  heading(column) {
    return make(isNumeric(column.type) ? 'th.number' : 'th', { scope: 'col', 'data-column': column.name },
      make('button', { type: 'button', onclick: () => this.sortBy(column.name) }, column.name));
  }

  sortBy(name) {
    this.descending = this.sort === name && !this.descending;
    this.sort = name;
    for (const head of this.head.querySelectorAll('[data-column]')) {
      const order = head.dataset.column !== name ? 'none' : this.descending ? 'descending' : 'ascending';
      head.setAttribute('aria-sort', order);
    }
    return this.show();
  }

  search(text) {
    this.filter = text;
    this.rows.scrollTop = 0;
    return this.show();
  }

  /** The position of the first row to ask for: some before those in sight. */
  get start() { return Math.max(0, Math.floor(this.rows.scrollTop / rowHeight - pageSize / 3)); }

  scrolled() {
    if (Math.abs(this.start - this.offset) >= pageSize / 4) return this.show();
  }

  async reveal(id) {
    this.marked = this.revealed = id;
    await this.show().finally(() => { this.revealed = undefined; });
    this.body.querySelector('tr.marked')?.scrollIntoView({ block: 'center' });
  }

  /** Shows as many rows as are printed, runs a function, and goes back to those in sight. */
  async withAllRows(body) {
    this.size = printedRows;
    await this.show();
    await body();
    this.size = pageSize;
    await this.show();
  }

  /** Shows the rows in sight, or around a record; what somebody edits stays. An earlier call ends with the latest one. */
  show() {
    this.latest = this.load();
    return this.latest;
  }

  async load() {
    const isLast = lastTime(this);
    const answer = await ask('records', {
      path: this.field.path, offset: this.size === pageSize ? this.start : 0, count: this.size, sort: this.sort,
      descending: this.descending, filter: this.filter, at: this.view.at, id: this.revealed, chosen: [...this.chosen],
    });
    if (!isLast()) return this.latest;
    this.offset = answer.offset;
    this.count.textContent = answer.found === answer.total
      ? number(answer.total) : `${number(answer.found)} of ${number(answer.total)}`;
    for (const missing of answer.missing) this.chosen.delete(missing);
    if (answer.missing.length) this.showChoice();
    this.showRows(answer);
  }

  showRows({ offset, found, rows, labels }) {
    const context = JSON.stringify([labels, this.marked, this.view.at]);
    if (context !== this.context) this.known.clear();
    [this.context, this.labels] = [context, labels];
    this.values = new Map(rows.map((row) => [identity(row), row]));
    const focus = this.body.contains(document.activeElement) ? { ...this.focus } : undefined;
    const elements = rows.map((row, index) => {
      const element = this.rowElement(row);
      element.setAttribute('aria-rowindex', offset + index + 2);
      return element;
    });
    this.known = new Map(elements.map((element) => [element.dataset.id, element]));
    if (this.editing && !this.known.has(this.editing.id)) this.editing = undefined;
    this.table.setAttribute('aria-rowcount', found + 1);
    arrange(this.body, [this.space(offset), ...elements, this.space(found - offset - rows.length)]);
    const cell = this.cellAt(this.focus) ?? this.body.querySelector('td[data-column]');
    if (cell) cell.tabIndex = 0;
    if (!focus || this.body.contains(document.activeElement)) return;
    // The row that had the focus isn't in sight any more, or is another element.
    (this.cellAt(focus) ?? this.rows).focus({ preventScroll: true });
  }

  cellAt({ id, column } = {}) {
    return [...this.known.get(id)?.querySelectorAll('td[data-column]') ?? []].find((one) => one.dataset.column === column);
  }

  /** In place of the rows before or after those that were asked for. */
  space(count) {
    const cell = make('td', { colspan: this.head.children.length });
    cell.style.height = `${count * rowHeight}px`;
    return make('tr.space', { 'aria-hidden': 'true', hidden: count <= 0 }, cell);
  }

  /** The element of a row: the one that is there, unless something has changed in it. */
  rowElement(row) {
    const id = identity(row);
    const content = JSON.stringify(row);
    const known = this.known.get(id);
    if (known && (known.content === content || this.editing?.id === id)) return known;
    const isMarked = this.field.kind === 'list' && row.id === this.marked;
    const element = make(isMarked ? 'tr.marked' : 'tr', { 'data-id': id },
      this.calls.length ? make('td.chooser', make('input', {
        type: 'checkbox', checked: this.chosen.has(row.id), 'aria-label': `Choose ${id}`, tabindex: -1,
        onchange: (event) => this.choose(row.id, event.target.checked),
      })) : null,
      ...this.columns.map((column) => this.cell(row, column)));
    element.content = content;
    return element;
  }

  cell(row, column) {
    const value = row[column.name];
    const canEdit = column.is_editable && this.view.canChange;
    const text = shown(value, column.type, this.labels);
    const link = (path, id, title) => make('a', { href: this.view.address({ name: path, id }), tabindex: -1, title }, text);
    const content = column.name === 'id' && this.field.kind === 'list' ? link(this.field.path, value, 'Shows what was done to it')
      : column.type.is === 'reference' && value !== null && value !== undefined ? link(column.type.list, value, 'Shows it') : text;
    const cell = make(`td${isNumeric(column.type) ? '.number' : ''}${canEdit ? '.editable' : ''}`, {
      'data-column': column.name, tabindex: -1, title: canEdit ? 'Enter edits' : undefined,
      onfocus: () => this.noteFocus(cell, row),
    }, content);
    if (canEdit) {
      cell.edit = () => this.edit(cell, row, column);
      cell.addEventListener('dblclick', cell.edit);
    }
    return cell;
  }

  // Keys: one cell is reached by Tab, the others from there by the arrows.

  noteFocus(cell, row) {
    this.focus = { id: identity(row), column: cell.dataset.column };
    for (const other of this.body.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
  }

  pressed(event) {
    const cell = event.target;
    if (!cell.matches('td[data-column]')) return;
    const row = cell.parentElement;
    const place = [...row.children].indexOf(cell);
    const next = {
      ArrowLeft: cell.previousElementSibling, ArrowRight: cell.nextElementSibling,
      ArrowUp: row.previousElementSibling?.children[place], ArrowDown: row.nextElementSibling?.children[place],
    }[event.key];
    if (next?.dataset.column) next.focus();
    else if (event.key === 'Enter') (cell.edit ?? (() => cell.querySelector('a')?.click()))();
    else if (event.key === ' ') row.querySelector('input[type=checkbox]')?.click();
    else return;
    event.preventDefault();
  }

  // Choosing records, for a function that is called for each

  choose(id, isChosen) {
    if (isChosen) this.chosen.add(id); else this.chosen.delete(id);
    this.showChoice();
  }

  showChoice() {
    this.choice.hidden = this.chosen.size === 0;
    const text = `${counted(this.chosen.size, 'record')} chosen`;
    if (this.choice.firstElementChild) {
      this.choice.querySelector('p').textContent = text;
      return;
    }
    const place = make('div');
    const buttons = this.calls.map((call) => make('button', {
      type: 'button',
      onclick: async () => {
        const form = new CallForm(this.feature, call, this.view, { records: () => [...this.chosen], done: () => this.chooseNone() });
        place.replaceChildren(form.element);
        await form.fill();
        if (call.parameters.length === 1) form.send(); else form.inputs[0].element.focus();
      },
    }, call.name.replaceAll('_', ' ')));
    this.choice.replaceChildren(make('p', { role: 'status' }, text),
      make('div.row', ...buttons, make('button', { type: 'button', onclick: () => this.chooseNone() }, 'Choose none')), place);
  }

  chooseNone() {
    const hasFocus = this.choice.contains(document.activeElement);
    this.chosen.clear();
    for (const box of this.body.querySelectorAll('input[type=checkbox]')) box.checked = false;
    this.choice.replaceChildren();
    this.choice.hidden = true;
    if (hasFocus) (this.body.querySelector('td[tabindex="0"]') ?? this.rows).focus({ preventScroll: true });
  }

  // Editing a cell

  async edit(cell, row, column) {
    if (this.editing) return;
    const editing = { id: identity(row) };
    this.editing = editing;
    const end = async (isLeft) => {
      if (this.editing !== editing) return;
      this.editing = undefined;
      this.known.delete(editing.id);
      await this.show();
      if (!isLeft) this.cellAt({ id: editing.id, column: column.name })?.focus({ preventScroll: true });
    };
    const value = row[column.name];
    let choices;
    try {
      choices = await this.view.choices(column.type);
    } catch (refusal) {
      this.editing = undefined;
      throw refusal;
    }
    const editor = new Editor(this.view, { path: this.field.path, id: row.id, part: column.name }, column.type, value, {
      latest: () => this.values.get(editing.id)?.[column.name], problem: this.problem,
      // What is refused can be mended.
      done: async (isLeft) => { if (this.editing === editing && (await editor.assign() || isLeft)) await end(isLeft); },
      cancel: () => end(false), choices, label: this.labels[column.type.list]?.[value], 'aria-label': column.name,
    });
    const { element } = editor;
    cell.classList.add('editing');
    cell.replaceChildren(element);
    element.focus();
  }
}
