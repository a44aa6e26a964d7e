// A field of a feature, or a part of one that is a record: its value, or an input for it.
import { make, number } from './elements.js';
import { input, shown, table, typed, unreadable, whenDone } from './values.js';

export class FieldView {
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
      this.content = this.input = undefined;
      this.place.replaceChildren(table(value) ?? (shown(value, this.type, labels) || '—'));
      if (rest) this.place.append(make('p.quiet', `and ${number(rest)} more`));
      return;
    }
    const choices = await this.view.choices(this.type);
    const label = labels[this.type.list]?.[value];
    const content = JSON.stringify([this.latest, label, choices]);
    if (content === this.content) return;
    const hasFocus = this.input !== undefined && document.activeElement === this.input;
    // Nobody loses what is being typed.
    this.isBehind = hasFocus && typed(this.input) !== this.start;
    if (this.isBehind) return;
    [this.content, this.known] = [content, this.latest];
    this.input = input(this.type, value, { choices, label, 'aria-label': this.part?.name ?? this.field.name });
    this.start = typed(this.input);
    whenDone(this.input, (isLeft) => this.assign(isLeft));
    this.input.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.restore(); });
    this.say('');
    this.place.replaceChildren(this.input, ' ', this.problem);
    if (hasFocus) this.input.focus();
  }

  say(problem) {
    this.problem.textContent = problem;
    this.input?.setAttribute('aria-invalid', String(problem !== ''));
  }

  /** Puts the value back that the app has. */
  restore() {
    this.content = this.input = undefined;
    this.place.replaceChildren();
    return this.view.feature.show();
  }

  /** Assigns what was typed; a value that came since isn't replaced unseen. */
  async assign(isLeft) {
    const element = this.input;
    if (!element?.isConnected || this.isAssigning) return;
    const [text, problem] = [typed(element), unreadable(element)];
    if (problem) { this.say(problem); return; }
    if (text === this.start) {
      if (isLeft && this.isBehind) this.restore();
      return;
    }
    this.isAssigning = true;
    const refusal = await this.view.attempt('set', {
      path: this.field.path, part: this.part?.name, value: text, was: this.type.is === 'secret' ? undefined : this.known,
    });
    this.isAssigning = false;
    if (refusal) {
      if (refusal.code === 'changed_meanwhile') await this.view.feature.show();
      this.known = this.latest;
      this.say(refusal.message);
    } else {
      // What is there now is what was typed.
      this.start = text;
      this.say('');
      if (this.type.is === 'secret') element.value = this.start = '';
      await this.view.feature.show();
    }
  }
}
