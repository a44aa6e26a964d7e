// A function of the app as a form.
import { ask } from './server.js';
import { make } from './elements.js';
import { input, typed } from './values.js';

/** The form of a function: `records` gives the ids of those for which it is called, by its first parameter, as one step. */
export class CallForm {
  constructor(feature, call, view, { records, done } = {}) {
    [this.feature, this.call, this.view, this.records, this.done] = [feature, call, view, records, done];
    const parameters = call.parameters.filter((parameter) => parameter.name !== '...').slice(records ? 1 : 0);
    this.inputs = parameters.map((parameter) => ({ parameter, label: make('label', this.text(parameter)) }));
    this.result = make('pre', { hidden: true });
    this.problem = make('p.bad', { role: 'alert', hidden: true });
    this.button = make('button.main', call.name.replaceAll('_', ' '));
    this.cancel = make('button', { type: 'button', hidden: true, onclick: () => this.stop() }, 'Cancel');
    this.element = make('form.call', { onsubmit: (event) => { event.preventDefault(); this.send(); } },
      ...this.inputs.map(({ label }) => label), make('div.row', this.button, this.cancel), this.problem, this.result);
  }

  text({ name, is_optional: isOptional, default: value }) {
    const note = !isOptional ? null : value ? ` (${value} by default)` : ' (may be left out)';
    return make('span', name.replaceAll('_', ' '), note && make('span.quiet', note));
  }

  /** Makes the inputs, when they are needed: the choices of references are asked for. */
  async fill() {
    if (this.isFilled) return;
    this.isFilled = true;
    for (const one of this.inputs) {
      const type = { ...one.parameter.type, is_optional: one.parameter.is_optional };
      const choices = type.is === 'reference' ? await this.view.choices(type.list) : [];
      one.element = input(type, null, { choices, placeholder: one.parameter.default });
      one.label.append(one.element);
    }
  }

  async send() {
    const given = {};
    for (const { parameter, element } of this.inputs) {
      const text = typed(element);
      if (text !== '' || (!parameter.is_optional && parameter.type.is === 'string')) given[parameter.name] = text;
    }
    this.ticket = String(Math.random());
    this.button.disabled = true;
    this.problem.hidden = this.result.hidden = true;
    this.cancel.hidden = !this.call.waits;
    try {
      const answer = await ask('call', {
        feature: this.feature.name, name: this.call.name, arguments: given, ids: this.records?.(), ticket: this.ticket,
      });
      this.result.textContent = answer.result;
      this.result.hidden = answer.result === '';
      this.done?.();
      // The next one is typed from the beginning.
      this.element.reset();
      if (this.element.contains(document.activeElement)) this.inputs[0]?.element.focus();
    } catch (refusal) {
      this.problem.textContent = refusal.message;
      this.problem.hidden = false;
    }
    this.cancel.hidden = true;
    this.button.disabled = false;
  }

  async stop() {
    const problem = await this.view.attempt('cancel', { ticket: this.ticket });
    if (problem) this.view.report(problem);
  }
}
