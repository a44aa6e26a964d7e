// Values as people read and type them.
import { make } from './elements.js';

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
  return String(value);
}

/** An input for values of a type; of a reference, `choices` are the ids and labels of the records. */
export function input(type, value, { choices = [], ...properties } = {}) {
  const text = value === null || value === undefined ? '' : String(value);
  if (type.is === 'boolean') {
    return make('input', { type: 'checkbox', checked: value === true, ...properties });
  }
  const texts = type.choices?.map((choice) => [choice, choice]) ?? (type.is === 'reference' ? choices : null);
  if (texts) {
    const options = type.is_optional || type.is === 'reference' ? [['', ''], ...texts] : texts;
    const select = make('select', properties, ...options.map(([key, label]) => make('option', { value: key }, label)));
    select.value = text;
    return select;
  }
  const kinds = { integer: 'number', number: 'number', date: 'date', secret: 'password' };
  const element = make('input', {
    type: kinds[type.is] ?? 'text', min: type.min, max: type.max, maxlength: type.max_length,
    step: type.places !== undefined ? 10 ** -type.places : type.is === 'number' ? 'any' : undefined,
    autocomplete: type.is === 'secret' ? 'new-password' : 'off', ...properties,
  });
  element.value = type.places !== undefined && typeof value === 'number' ? value.toFixed(type.places) : text;
  return element;
}

/** What was typed into an input: a text, or a truth value. */
export const typed = (element) => (element.type === 'checkbox' ? String(element.checked) : element.value);

/** A table for records, or for groups by their keys; undefined for another value. */
export function table(value) {
  let rows;
  if (Array.isArray(value) && value.length && value.every(isRecord)) rows = value;
  if (isRecord(value) && Object.values(value).length && Object.values(value).every(isRecord)) {
    rows = Object.entries(value).map(([key, members]) => ({ key, ...members }));
  }
  if (!rows) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (part) => make(typeof part === 'number' ? 'td.number' : 'td', shown(part));
  return make('div.rows', make('table',
    make('thead', make('tr', ...names.map((name) => make('th', { scope: 'col' }, name)))),
    make('tbody', ...rows.map((row) => make('tr', ...names.map((name) => cell(row[name])))))));
}
