// A list as a table: only the rows in sight are asked for, whatever the length of the list.
import { ask } from './server.js';
import { counted, make, number } from './elements.js';
import { input, isNumeric, shown, typed } from './values.js';
import { CallForm } from './call.js';

const rowHeight = 34;
const pageSize = 100;

/** The table of a list, a set or a map; `view` says what moment is shown, and shows errors. */
export class ListTable {
  constructor(field, feature, view) {
    [this.field, this.feature, this.view] = [field, feature, view];
    this.descending = false;
    this.filter = '';
    this.offset = 0;
    this.columns = field.columns.length
      ? field.columns : [{ name: 'value', type: { is: 'other' }, is_editable: false }];
    this.chosen = new Set();
    this.calls = view.isWritable ? this.callsForRecords() : [];
    this.count = make('span.quiet');
    this.head = make('tr', this.calls.length ? make('th.chooser', { scope: 'col' }, make('span.hidden', 'Chosen')) : null,
      ...this.columns.map((column) => this.heading(column)));
    this.body = make('tbody', { onkeydown: (event) => this.pressed(event) });
    this.rows = make('div.rows', { onscroll: () => this.scrolled() }, make('table', make('thead', this.head), this.body));
    this.choice = make('div.choice', { hidden: true });
    const search = make('input', { type: 'search', oninput: () => this.search(search.value) });
    this.element = make('section.list',
      make('div.bar', make('h3', field.name), this.count, make('label.search', 'Filter ', search)),
      field.help ? make('p.help', field.help) : null, this.rows, this.choice);
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
    this.show();
  }

  search(text) {
    this.filter = text;
    this.rows.scrollTop = 0;
    this.offset = 0;
    this.show();
  }

  scrolled() {
    const first = Math.floor(this.rows.scrollTop / rowHeight);
    const offset = Math.max(0, first - pageSize / 3 | 0);
    if (Math.abs(offset - this.offset) < pageSize / 4) return;
    this.offset = offset;
    this.show();
  }

  /** Shows the row of a record. */
  async reveal(id) {
    this.marked = id;
    await this.show(id);
    this.body.querySelector('tr.marked')?.scrollIntoView({ block: 'center' });
  }

  /** Asks for the rows in sight, or around a record, and shows them unless somebody edits one. */
  async show(id) {
    if (this.body.querySelector('td.editing')) return;
    this.asked = (this.asked ?? 0) + 1;
    const asked = this.asked;
    const answer = await ask('records', {
      path: this.field.path, offset: this.offset, count: pageSize, sort: this.sort, descending: this.descending,
      filter: this.filter, at: this.view.at, id,
    });
    if (asked !== this.asked) return;
    // Nobody loses what is clicked on while others do something else.
    const content = JSON.stringify([answer, this.marked, this.view.at]);
    if (content === this.content) return;
    this.content = content;
    this.offset = answer.offset;
    this.count.textContent = answer.found === answer.total
      ? number(answer.total) : `${number(answer.found)} of ${number(answer.total)}`;
    const space = (rows) => {
      const cell = make('td', { colspan: this.head.children.length });
      cell.style.height = `${rows * rowHeight}px`;
      return make('tr.space', { 'aria-hidden': 'true' }, cell);
    };
    const below = answer.found - answer.offset - answer.rows.length;
    const focused = this.body.contains(document.activeElement);
    this.body.replaceChildren(
      ...answer.offset ? [space(answer.offset)] : [],
      ...answer.rows.map((row) => this.row(row, answer.labels)), ...below > 0 ? [space(below)] : []);
    const cells = [...this.body.querySelectorAll('td[data-column]')];
    const cell = cells.find((one) => one.parentElement.dataset.id === this.focus?.id && one.dataset.column === this.focus?.column)
      ?? cells[0];
    if (cell) cell.tabIndex = 0;
    if (focused) cell?.focus();
  }

  row(row, labels) {
    const id = this.field.kind === 'list' ? row.id : undefined;
    return make(id !== undefined && id === this.marked ? 'tr.marked' : 'tr', { 'data-id': row.id },
      this.calls.length ? make('td.chooser', make('input', {
        type: 'checkbox', checked: this.chosen.has(id), 'aria-label': `Choose ${id}`, tabindex: -1,
        onchange: (event) => this.choose(id, event.target.checked),
      })) : null,
      ...this.columns.map((column) => this.cell(row, column, labels)));
  }

  cell(row, column, labels) {
    const value = row[column.name];
    const canEdit = column.is_editable && this.view.canChange;
    const text = shown(value, column.type, labels);
    const link = (path, id, title) => make('a', { href: this.view.address({ name: path, id }), tabindex: -1, title }, text);
    const content = column.name === 'id' && this.field.kind === 'list' ? link(this.field.path, value, 'Shows what was done to it')
      : column.type.is === 'reference' && value !== null && value !== undefined ? link(column.type.list, value, 'Shows it') : text;
    const cell = make(`td${isNumeric(column.type) ? '.number' : ''}${canEdit ? '.editable' : ''}`, {
      'data-column': column.name, tabindex: -1, title: canEdit ? 'Enter edits' : undefined,
      onfocus: () => this.noteFocus(cell, row),
    }, content);
    if (canEdit) {
      cell.edit = () => this.edit(cell, row.id, column, value ?? null);
      cell.addEventListener('dblclick', cell.edit);
    }
    return cell;
  }

  // Keys: one cell is reached by Tab, the others from there by the arrows.

  noteFocus(cell, row) {
    this.focus = { id: String(row.id), column: cell.dataset.column };
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
    const end = () => {
      this.chosen.clear();
      for (const box of this.body.querySelectorAll('input[type=checkbox]')) box.checked = false;
      this.choice.replaceChildren();
      this.choice.hidden = true;
    };
    const place = make('div');
    const buttons = this.calls.map((call) => make('button', {
      type: 'button',
      onclick: () => {
        const form = new CallForm(this.feature, call, this.view, { records: () => [...this.chosen], done: end });
        place.replaceChildren(form.element);
        form.fill();
        if (call.parameters.length === 1) form.send();
      },
    }, call.name.replaceAll('_', ' ')));
    this.choice.replaceChildren(make('p', { role: 'status' }, text),
      make('div.row', ...buttons, make('button', { type: 'button', onclick: end }, 'Choose none')), place);
  }

  async edit(cell, id, column, value) {
    if (cell.classList.contains('editing')) return;
    cell.classList.add('editing');
    const choices = column.type.is === 'reference' ? await this.view.choices(column.type.list) : [];
    const element = input(column.type, value, { choices, 'aria-label': column.name });
    cell.replaceChildren(element);
    element.focus();
    let isDone = false;
    const end = async (isKept, hasFocus = false) => {
      if (isDone) return;
      isDone = true;
      let problem;
      if (isKept && typed(element) !== String(value ?? '')) {
        problem = await this.view.attempt('set', {
          path: this.field.path, id, part: column.name, value: typed(element), was: column.type.is === 'secret' ? undefined : value,
        });
      }
      cell.classList.remove('editing');
      this.content = undefined;
      if (hasFocus) cell.focus();
      if (problem) this.view.report(problem);
      await this.show();
    };
    element.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') { event.preventDefault(); end(true, true); }
      if (event.key === 'Escape') { event.stopPropagation(); end(false, true); }
    });
    element.addEventListener('blur', () => end(true));
    if (element.tagName === 'SELECT' || element.type === 'checkbox') element.addEventListener('change', () => end(true, true));
  }
}
