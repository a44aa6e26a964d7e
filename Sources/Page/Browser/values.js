// Values as people read and type them.
import { find, make } from './elements.js';

/** Whether values of a type are shown on the right. */
export const isNumeric = (type) => type.is === 'integer' || type.is === 'number';

/** Whether a value is an object with members. */
export const isRecord = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** A value as people read it. */
export function shown(value, type = {}, labels = {}) {
  if (value === null || value === undefined) return '';
  if (type.is === 'reference') return labels[type.list]?.[value] ?? `#${value}`;
  if (type.places !== undefined && typeof value === 'number') return value.toFixed(type.places);
  if (type.is === 'time' && typeof value === 'string') return new Date(value).toLocaleString();
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  // As Lua prints numbers: 0.1 + 0.2 is 0.3.
  return String(typeof value === 'number' ? Number(value.toPrecision(14)) : value);
}

/** How a record among many is chosen: by its label, which needn't be the only one, and its id. */
const choice = ([id, label]) => `${label} #${id}`;

/** An input for a record among many, which a function finds by a text; the page's list of choices belongs to who types. */
function finder(findSome, text, properties) {
  const show = async () => {
    const found = await findSome(element.value);
    if (document.activeElement !== element) return;
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
  return element.list ? element.value.replace(/^.*#(?=\d+$)/, '') : element.value;
}

/** Why nothing can be read from what was typed, such as 1-2 for a number; an empty text otherwise. */
export const unreadable = (element) => (element.validity.badInput ? element.validationMessage : '');

/**
 * Calls a function when somebody is done with an input: at Enter, when something is chosen by the mouse, or, with true, when
 * the input is left. The steps of arrow keys through choices are not yet a choice.
 */
export function whenDone(element, done) {
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

/** A table for records, or for groups by their keys; undefined for another value. */
export function table(value) {
  let rows;
  if (Array.isArray(value) && value.length && value.every(isRecord)) rows = value;
  if (isRecord(value) && Object.values(value).length && Object.values(value).every(isRecord)) {
    rows = Object.entries(value).map(([key, members]) => ({ key, ...members }));
  }
  if (!rows) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const kind = (name, tag) => (rows.some((row) => typeof row[name] === 'number') ? `${tag}.number` : tag);
  return make('div.rows', make('table',
    make('thead', make('tr', ...names.map((name) => make(kind(name, 'th'), { scope: 'col' }, name)))),
    make('tbody', ...rows.map((row) => make('tr', ...names.map((name) => make(kind(name, 'td'), shown(row[name]))))))));
}
