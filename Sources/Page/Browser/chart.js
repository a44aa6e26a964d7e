// A chart of a feature: a number or a length over the actions or over time, or groups as bars.
import { ask, lastTime } from './server.js';
import { make, number } from './elements.js';
import { isNumeric, isRecord } from './values.js';

const width = 640;
const height = 200;
/** About as many points as a line needs. */
const pointCount = 120;
/** The number of points that are asked for at once: each takes the server some time. */
const batchSize = 20;

const picture = (tag, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** The numbers of groups by their keys, for each numeric member that the groups have; none for another value. */
function groups(value) {
  const found = new Map();
  for (const [key, group] of isRecord(value) ? Object.entries(value) : []) {
    for (const [member, part] of Object.entries(isRecord(group) ? group : { '': group })) {
      if (typeof part === 'number') found.set(member, [...found.get(member) ?? [], [key, part]]);
    }
  }
  return found;
}

export class ChartView {
  constructor(feature, view) {
    [this.feature, this.view] = [feature, view];
    this.subject = make('select', { onchange: () => this.draw() });
    this.axis = make('select', { onchange: () => this.draw() },
      make('option', { value: 'number' }, 'actions'), make('option', { value: 'time' }, 'time'));
    this.place = make('div.chart');
    this.element = make('details.charts', { hidden: true, ontoggle: () => this.draw() }, make('summary', 'Chart'),
      make('div.bar', make('label', 'Of ', this.subject), make('label', 'over ', this.axis)), this.place);
  }

  /** Shows what can be drawn of the present values, and draws it again if it is looked at. */
  show(values) {
    this.values = values;
    const subjects = [];
    for (const { path, name, type } of this.feature.fields) {
      const { value, count } = values[path] ?? {};
      if (count !== undefined || typeof value === 'number' || isNumeric(type)) subjects.push([path, name]);
      for (const member of groups(value).keys()) {
        subjects.push([`${path}\n${member}`, member ? `${name}: ${member}` : name]);
      }
    }
    this.element.hidden = subjects.length === 0;
    const chosen = this.subject.value;
    this.subject.replaceChildren(...subjects.map(([key, label]) => make('option', { value: key }, label)));
    if (subjects.some(([key]) => key === chosen)) this.subject.value = chosen;
    this.draw();
  }

  async draw() {
    if (!this.element.open || !this.subject.value) return;
    const isLast = lastTime(this);
    const [path, member] = this.subject.value.split('\n');
    this.axis.disabled = member !== undefined;
    if (member !== undefined) {
      const { value, rest } = this.values[path] ?? {};
      this.place.replaceChildren(bars(groups(value).get(member) ?? []), rest ? make('p.quiet', `and ${number(rest)} more`) : '');
      return;
    }
    const { first, position, edition } = this.view.moment;
    // The points stay as long as the history isn't another one.
    const key = `${path} ${edition}`;
    if (key !== this.key) [this.key, this.points] = [key, new Map()];
    const known = this.points;
    const numbers = spread(first, position);
    do {
      const missing = numbers.filter((one) => !known.has(one)).slice(0, batchSize);
      if (missing.length) {
        try {
          const answer = await ask('series', { path, numbers: missing });
          for (const point of answer.points) known.set(point.number, point);
        } catch (problem) {
          this.place.replaceChildren(make('p.bad', problem.message));
          return;
        }
      }
      if (!isLast()) return;
      this.place.replaceChildren(line(numbers.map((one) => known.get(one)).filter(Boolean), this.axis.value, path));
    } while (numbers.some((one) => !known.has(one)));
  }
}

/** Numbers of actions, about as many as a line needs, of which most stay the same when actions are added. */
function spread(first, last) {
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((last - first) / pointCount)));
  const numbers = new Set([first]);
  for (let one = Math.ceil(first / step) * step; one < last; one += step) numbers.add(one);
  return [...numbers.add(last)];
}

const text = (value) => number(Math.round(value * 1e6) / 1e6);

function line(all, axis, path) {
  const points = all.filter((point) => typeof point.value === 'number' && (axis === 'number' || point.time !== null));
  if (points.length === 0) return make('p.quiet', 'There are no numbers yet.');
  const values = points.map((point) => point.value);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const [start, end] = [points[0][axis], points.at(-1)[axis]];
  const x = (point) => (end === start ? width : ((point[axis] - start) / (end - start)) * width);
  const y = (value) => height - ((value - low) / (high - low || 1)) * height;
  // A value stays until the next action.
  const corners = points.flatMap((point, index) => {
    const corner = `${x(point).toFixed(1)},${y(point.value).toFixed(1)}`;
    return index ? [`${x(point).toFixed(1)},${y(points[index - 1].value).toFixed(1)}`, corner] : [corner];
  });
  const label = (value) => (axis === 'number' ? `#${value}` : new Date(value * 1000).toLocaleString());
  const name = `${path}: ${text(values[0])} after ${label(start)}, ${text(values.at(-1))} after ${label(end)}; `
    + `at least ${text(Math.min(...values))}, at most ${text(Math.max(...values))}`;
  return make('figure',
    make('p.quiet', text(high)),
    picture('svg', { viewBox: `-2 -2 ${width + 4} ${height + 4}`, role: 'img', 'aria-label': name },
      picture('line', { x1: 0, x2: width, y1: y(0), y2: y(0), class: 'axis' }),
      picture('polyline', { points: corners.join(' '), class: 'line' })),
    make('p.quiet.ends', make('span', label(start)), make('span', `now ${text(values.at(-1))}`), make('span', label(end))));
}

function bars(rows) {
  const longest = Math.max(...rows.map(([, value]) => Math.abs(value)), 0) || 1;
  return make('table.bars', make('tbody', ...rows.map(([key, value]) => make('tr',
    make('th', { scope: 'row' }, key), make('td.number', text(value)),
    make('td', picture('svg', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      picture('rect', { width: (Math.abs(value) / longest) * 100, height: 10, class: value < 0 ? 'negative' : '' })))))));
}
