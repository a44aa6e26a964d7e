// A feature: its fields, its lists, a chart, and a form for each function.
import { ask } from './server.js';
import { make } from './elements.js';
import { input, shown, table, typed } from './values.js';
import { CallForm } from './call.js';
import { ChartView } from './chart.js';
import { ListTable } from './list.js';

export const hasTable = (field) => ['list', 'map', 'set'].includes(field.kind);

/** The panel of a feature. */
export class FeatureView {
  constructor(feature, view) {
    [this.feature, this.view] = [feature, view];
    this.fields = feature.fields.filter((field) => !hasTable(field)).map((field) => ({ field, place: make('dd') }));
    this.tables = feature.fields.filter(hasTable).map((field) => new ListTable(field, feature, view));
    this.chart = new ChartView(feature, view);
    this.element = make('div',
      make('h2', feature.name), make('p.help', feature.help), make('dl.fields', ...this.fields.map(({ field, place }) =>
        [make('dt', field.name), make('div', place, field.help ? make('p.help', field.help) : null)]).flat()),
      ...this.tables.map((one) => one.element), this.chart.element,
      feature.calls.length && view.isWritable
        ? make('section.calls', make('h3', 'What can be done'), ...feature.calls.map((call) => this.form(call)))
        : null);
  }

  /** Asks for the values of the moment that is shown, and shows them. */
  async show() {
    const { values } = await ask('values', { feature: this.feature.name, at: this.view.at });
    await Promise.all([
      ...this.fields.map((one) => this.showValue(one, values[one.field.path]?.value)), ...this.tables.map((one) => one.show()),
    ]);
    this.chart.show(values);
  }

  async showValue(one, value) {
    const { field, place } = one;
    one.latest = value ?? null;
    if (!field.is_editable || !this.view.canChange || field.type.is === 'other') {
      one.content = undefined;
      const labels = await this.view.labels(field.type, value);
      place.replaceChildren(table(value) ?? (shown(value, field.type, labels) || '—'));
      return;
    }
    const choices = field.type.is === 'reference' ? await this.view.choices(field.type.list) : [];
    const content = JSON.stringify([one.latest, choices]);
    // What somebody types, and what was said of it, stays.
    if (place.contains(document.activeElement) || one.content === content) return;
    [one.content, one.start] = [content, one.latest];
    const problem = make('span.bad', { role: 'alert' });
    const element = input(field.type, value, { choices, 'aria-label': field.name, onchange: () => this.set(one, element, problem) });
    place.replaceChildren(element, ' ', problem);
  }

  /** Assigns a field; a value that came since typing began isn't replaced unseen. */
  async set(one, element, problem) {
    const { path, type } = one.field;
    const refusal = await this.view.attempt('set', {
      path, value: typed(element), was: type.is === 'secret' ? undefined : one.start,
    });
    if (!refusal || refusal.code === 'changed_meanwhile') {
      await this.show();
      one.start = one.latest;
    }
    if (!element.isConnected && refusal) this.view.report(refusal);
    problem.textContent = refusal?.message ?? '';
    element.setAttribute('aria-invalid', String(Boolean(refusal)));
  }

  form(call) {
    const form = new CallForm(this.feature, call, this.view);
    const details = make('details', { ontoggle: () => { if (details.open) form.fill(); } },
      make('summary', call.name, call.help ? make('span.quiet', ` — ${call.help}`) : null), form.element);
    if (call.name === this.feature.main) details.open = true;
    return details;
  }

  /** Opens the first form, or goes to the one that is open, and begins to fill it in. */
  async beginForm() {
    const details = this.element.querySelector('section.calls details[open]') ?? this.element.querySelector('section.calls details');
    if (!details) return;
    details.open = true;
    details.querySelector('summary').focus();
  }
}
