// Values as people read them.
import { make } from './elements.js';

/** Whether values of a type are shown on the right. */
export const isNumeric = (type) => type.is === 'integer' || type.is === 'number';

export const isRecord = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

export function shown(value, type = {}, labels = {}) {
  if (value === null || value === undefined) return '';
  if (type.is === 'reference') return labels[type.list]?.[value] ?? `#${value}`;
  if (type.places !== undefined && typeof value === 'number') return value.toFixed(type.places);
  if (type.is === 'time' && typeof value === 'string') return new Date(value).toLocaleString();
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  // As Lua prints numbers: 0.1 + 0.2 is 0.3.
  return String(typeof value === 'number' ? Number(value.toPrecision(14)) : value);
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
