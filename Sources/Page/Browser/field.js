// A field of a feature, or a part of one that is a record: its value, or an input for it.
import { Editor } from './editor.js';
import { make, number } from './elements.js';
import { shown, table } from './values.js';

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
