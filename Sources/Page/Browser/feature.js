// A feature: its fields, its lists, a chart, and a form for each function.
import { ask, lastTime } from './server.js';
import { make } from './elements.js';
import { CallForm } from './call.js';
import { ChartView } from './chart.js';
import { FieldView } from './field.js';
import { ListTable } from './list.js';

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
