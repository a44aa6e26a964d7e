// A feature: its fields, its lists, a chart, and a form for each function.
import { ask, lastTime } from './server.js';
import { make, number } from './elements.js';
import { CallForm } from './call.js';
import { ChartView } from './chart.js';
import { Editor } from './editor.js';
import { ListTable } from './list.js';
import { shown, table } from './values.js';

const hasTable = (field) => ['list', 'map', 'set'].includes(field.kind);

export class FeatureView {
  constructor(feature, view) {
    [this.feature, this.view] = [feature, view];
    this.fields = feature.fields.filter((field) => !hasTable(field)).map((field) => new FieldView(field, view));
    this.tables = feature.fields.filter(hasTable).map((field) => new ListTable(field, feature, view));
    this.chart = new ChartView(feature, view);
    this.forms = view.isWritable ? feature.calls.map((call) => new CallForm(feature, call, view)) : [];
    this.element = make('div',
      make('h2', feature.name), make('p.help', feature.help),
      this.fields.length ? make('dl.fields', ...this.fields.flatMap((one) => this.row(one))) : null,
      ...this.tables.map((one) => one.element), this.chart.element,
      this.forms.length
        ? make('section.calls', make('h3', 'What can be done'), ...this.forms.map((form) => this.details(form))) : null);
  }

  row({ field, place }) {
    return [make('dt', field.name), make('dd', place, field.help ? make('p.help', field.help) : null)];
  }

  details(form) {
    const { name, help } = form.call;
    return make('details', { open: name === this.feature.main, ontoggle: (event) => event.target.open && form.fill() },
      make('summary', name, help ? make('span.quiet', ` — ${help}`) : null), form.element);
  }

  /** Asks for the values of the moment that is shown, and shows them. */
  async show() {
    const isLast = lastTime(this);
    const { values, labels } = await ask('values', { feature: this.feature.name, at: this.view.at });
    if (!isLast()) return;
    await Promise.all([
      ...this.fields.map((one) => {
        const { value, rest } = values[one.field.path] ?? {};
        return one.show(value, labels, rest);
      }),
      ...this.tables.map((one) => one.show()),
      ...this.forms.map((form) => (form.element.closest('details').open ? form.fill() : undefined)),
    ]);
    this.chart.show(values);
  }

  /** Opens the first form, or goes to the one that is open. */
  goToForm() {
    const details = this.element.querySelector('section.calls details[open]') ?? this.element.querySelector('section.calls details');
    if (!details) return;
    details.open = true;
    details.querySelector('summary').focus();
  }
}

/** A field of a feature, or a part of one that is a record: its value, or an input for it. */
class FieldView {
  constructor(field, view, part) {
    [this.field, this.view, this.part] = [field, view, part];
    [this.type, this.isEditable] = [(part ?? field).type, (part ?? field).is_editable];
    this.parts = !part && field.kind === 'value' && this.isEditable ? field.columns.map((one) => new FieldView(field, view, one)) : [];
    this.place = this.parts.length
      ? make('dl.fields', ...this.parts.flatMap((one) => [make('dt', one.part.name), make('dd', one.place)])) : make('div');
    this.problem = make('span.bad', { role: 'alert' });
  }

  /** Shows a value, of which `rest` elements are left out, with the labels of references. */
  async show(value, labels = {}, rest = 0) {
    if (this.parts.length) {
      await Promise.all(this.parts.map((one) => one.show(value?.[one.part.name], labels)));
      return;
    }
    this.latest = value ?? null;
    if (!this.isEditable || !this.view.canChange) {
      this.content = this.editor = undefined;
      this.place.replaceChildren(table(value) ?? (shown(value, this.type, labels) || '—'));
      if (rest) this.place.append(make('p.quiet', `and ${number(rest)} more`));
      return;
    }
    const choices = await this.view.choices(this.type);
    const label = labels[this.type.list]?.[value];
    const content = JSON.stringify([this.latest, label, choices]);
    if (content === this.content) return;
    const hasFocus = this.editor !== undefined && document.activeElement === this.editor.element;
    // Nobody loses what is being typed.
    this.isBehind = hasFocus && this.editor.isChanged;
    if (this.isBehind) return;
    this.content = content;
    this.editor = new Editor(this.view, { path: this.field.path, part: this.part?.name }, this.type, value, {
      latest: () => this.latest, problem: this.problem, done: (isLeft) => this.assign(isLeft), cancel: () => this.restore(),
      choices, label, 'aria-label': this.part?.name ?? this.field.name,
    });
    const { element } = this.editor;
    this.problem.textContent = '';
    this.place.replaceChildren(element, ' ', this.problem);
    if (hasFocus) element.focus();
  }

  /** Puts the value back that the app has. */
  restore() {
    this.content = this.editor = undefined;
    this.place.replaceChildren();
    return this.view.feature.show();
  }

  async assign(isLeft) {
    const { editor } = this;
    if (!editor?.element.isConnected) return;
    const { isChanged } = editor;
    const isThere = await editor.assign();
    if (isChanged && isThere) await this.view.feature.show();
    else if (!isChanged && isLeft && this.isBehind) await this.restore();
  }
}
