// Inputs for values, and what is assigned by them.
import { ask, lastTime } from './server.js';
import { find, make } from './elements.js';

/** How a record among many is chosen: by its label, which needn't be the only one, and its id. */
const choice = ([id, label]) => `${label} #${id}`;

/** An input for a record among many, which a function finds by a text; the page's list of choices belongs to who types. */
function finder(findSome, text, properties) {
  const show = async () => {
    const isLast = lastTime(element);
    const found = await findSome(element.value);
    if (!isLast() || document.activeElement !== element) return;
    find('choices').replaceChildren(...found.map((one) => make('option', { value: choice(one) })));
  };
  const element = make('input', { list: 'choices', autocomplete: 'off', onfocus: show, oninput: show, ...properties });
  element.value = text;
  return element;
}

/** A time, which is text of ISO 8601, as an input of local times has it. */
function localTime(text) {
  const time = new Date(text);
  return new Date(time - time.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
}

/**
 * An input for values of a type. Of a reference, `choices` are the ids and labels of the records, or a function that finds them,
 * and `label` is that of the value.
 */
export function input(type, value, { choices = [], label, ...properties } = {}) {
  const text = value === null || value === undefined ? '' : String(value);
  if (type.is === 'boolean' && !type.is_optional) {
    return make('input', { type: 'checkbox', checked: value === true, ...properties });
  }
  if (choices instanceof Function) return finder(choices, text && choice([text, label ?? '']), properties);
  const words = type.is === 'boolean' ? ['true', 'false'] : type.choices;
  const texts = words?.map((word) => [word, word]) ?? (type.is === 'reference' ? choices : null);
  if (texts) {
    const options = type.is_optional || type.is === 'reference' ? [['', ''], ...texts] : texts;
    const select = make('select', properties, ...options.map(([key, name]) => make('option', { value: key }, name)));
    select.value = text;
    return select;
  }
  if (type.is === 'string' && text.includes('\n')) {
    const area = make('textarea', { rows: Math.min(8, text.split('\n').length), ...properties });
    area.value = text;
    return area;
  }
  const kinds = { integer: 'number', number: 'number', date: 'date', time: 'datetime-local', secret: 'password' };
  const element = make('input', {
    type: kinds[type.is] ?? 'text', min: type.min, max: type.max, maxlength: type.max_length,
    step: type.places !== undefined ? 10 ** -type.places : ['number', 'time'].includes(type.is) ? 'any' : undefined,
    autocomplete: type.is === 'secret' ? 'new-password' : 'off', ...properties,
  });
  // Of a secret, a page knows only that there is one.
  if (type.is === 'secret') element.placeholder = text;
  else if (type.is === 'time') element.value = text && localTime(text);
  else element.value = type.places !== undefined && typeof value === 'number' ? value.toFixed(type.places) : text;
  return element;
}

/** What was typed into an input, as a text: of a record its id, of a time that of the whole world. */
export function typed(element) {
  if (element.type === 'checkbox') return String(element.checked);
  if (element.type === 'datetime-local') return element.value && new Date(element.value).toISOString();
  return element.hasAttribute('list') ? element.value.replace(/^.*#(?=\d+$)/, '') : element.value;
}

/** Why nothing can be read from what was typed, such as 1-2 for a number; an empty text otherwise. */
const unreadable = (element) => (element.validity.badInput ? element.validationMessage : '');

/**
 * Calls a function when somebody is done with an input: at Enter, when something is chosen by the mouse, or, with true, when
 * the input is left. The steps of arrow keys through choices are not yet a choice.
 */
function whenDone(element, done) {
  let isByKey = false;
  element.addEventListener('pointerdown', () => { isByKey = false; });
  element.addEventListener('keydown', (event) => {
    isByKey = element.type !== 'checkbox';
    if (event.key !== 'Enter' || (element.tagName === 'TEXTAREA' && !event.ctrlKey)) return;
    event.preventDefault();
    done(false);
  });
  element.addEventListener('change', () => {
    if (!isByKey && (element.tagName === 'SELECT' || ['checkbox', 'date'].includes(element.type))) done(false);
  });
  element.addEventListener('blur', () => done(true));
}

/** An input that assigns what was typed to a place of the state; a value that came since isn't replaced unseen. */
export class Editor {
  /**
   * `latest` gives the value that the feature shows, `problem` is the element that says why something is refused, `done` is called
   * when somebody is done, with whether the input was left, and `cancel` at Escape; other properties are those of `input`.
   */
  constructor(view, place, type, value, { latest, problem, done, cancel, ...properties }) {
    [this.view, this.place, this.type, this.latest, this.problem] = [view, place, type, latest, problem];
    this.element = input(type, value, properties);
    [this.start, this.known] = [typed(this.element), value ?? null];
    whenDone(this.element, (isLeft) => { if (!this.isAssigning) return done(isLeft); });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.isAssigning) return;
      event.stopPropagation();
      problem.textContent = '';
      cancel();
    });
  }

  get isChanged() { return unreadable(this.element) !== '' || typed(this.element) !== this.start; }

  /** Assigns what was typed, if it is another value, and returns whether it is there now. */
  async assign() {
    this.isAssigning = true;
    const refusal = await this.attempt();
    this.isAssigning = false;
    this.element.setAttribute('aria-invalid', String(refusal !== undefined));
    this.problem.textContent = refusal?.message ?? '';
    return refusal === undefined;
  }

  /** Assigns what was typed, and returns why that is refused; undefined if it isn't. */
  async attempt() {
    const message = unreadable(this.element);
    if (message) return { message };
    if (!this.isChanged) return undefined;
    const text = typed(this.element);
    const isSecret = this.type.is === 'secret';
    try {
      const { value } = await ask('set', { ...this.place, value: text, was: isSecret ? undefined : this.known });
      this.known = value;
      if (isSecret) this.element.value = '';
      this.start = isSecret ? '' : text;
      return undefined;
    } catch (refusal) {
      if (refusal.code === 'changed_meanwhile') {
        await this.view.feature.show().catch((problem) => this.view.report(problem));
        this.known = this.latest() ?? null;
      }
      return refusal;
    }
  }
}
