// A function of the app as a form.
import { ask } from './server.js';
import { make } from './elements.js';
import { input, typed } from './editor.js';

/** The form of a function: `records` gives the ids of those for which it is called, by its first parameter, as one step. */
export class CallForm {
  constructor(feature, call, view, { records, done } = {}) {
    [this.feature, this.call, this.view, this.records, this.done] = [feature, call, view, records, done];
    const parameters = call.parameters.filter((parameter) => parameter.name !== '...').slice(records ? 1 : 0);
    this.inputs = parameters.map((parameter) => ({ parameter, label: make('label', this.text(parameter)) }));
    this.result = make('pre', { role: 'status', hidden: true });
    this.problem = make('p.bad', { role: 'alert', hidden: true });
    this.cancel = make('button', { type: 'button', hidden: true, onclick: () => this.stop() }, 'Cancel');
    this.element = make('form.call', { onsubmit: (event) => { event.preventDefault(); this.send(); } },
      ...this.inputs.map(({ label }) => label),
      make('div.row', make('button.main', call.name.replaceAll('_', ' ')), this.cancel), this.problem, this.result,
      call.example && !records ? make('p.quiet', 'Example: ', make('code', call.example)) : null);
  }

  text({ name, help, is_optional: isOptional, default: value }) {
    const note = !isOptional ? null : value ? ` (${value} by default)` : ' (may be left out)';
    return make('span', name.replaceAll('_', ' '), note && make('span.quiet', note), help ? make('span.quiet', `: ${help}`) : null);
  }

  /** Makes the inputs when they are needed, and those of references again when their choices have changed. */
  async fill() {
    for (const one of this.inputs) {
      const type = { ...one.parameter.type, is_optional: one.parameter.is_optional };
      const choices = await this.view.choices(type);
      const content = JSON.stringify(choices) ?? 'many';
      if (one.content === content) continue;
      one.content = content;
      const element = input(type, null, { choices, placeholder: one.parameter.default || undefined });
      if (!one.element) { one.label.append(element); } else {
        element.value = one.element.value;
        const hasFocus = document.activeElement === one.element;
        one.element.replaceWith(element);
        if (hasFocus) element.focus();
      }
      one.element = element;
    }
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    this.ticket = String(Math.random());
    this.problem.hidden = this.result.hidden = true;
    this.cancel.hidden = !this.call.waits;
    try {
      await this.fill();
      const answer = await ask('call', {
        feature: this.feature.name, name: this.call.name, arguments: this.arguments, ids: this.records?.(), ticket: this.ticket,
      });
      this.result.textContent = answer.result;
      this.result.hidden = answer.result === '';
      // The next one is typed from the beginning.
      const hasFocus = this.element.contains(document.activeElement);
      this.element.reset();
      if (hasFocus) this.inputs[0]?.element.focus();
      this.done?.();
    } catch (refusal) {
      this.problem.textContent = refusal.message;
      this.problem.hidden = false;
    }
    this.cancel.hidden = true;
    this.isSending = false;
  }

  /** What was typed, by the names of the parameters. */
  get arguments() {
    const given = {};
    for (const { parameter, element } of this.inputs) {
      const text = typed(element);
      if (text !== '' || (!parameter.is_optional && parameter.type.is === 'string')) given[parameter.name] = text;
    }
    return given;
  }

  async stop() {
    const problem = await this.view.attempt('cancel', { ticket: this.ticket });
    if (problem) this.view.report(problem);
  }
}
