'use strict';

(() => {
  /* elements.js */

  const events = JSON.parse(document.getElementById('data').textContent);
  const plan = events.find((event) => event.event === 'plan');
  const ended = events.filter((event) => event.event === 'result');
  const isFailed = (result) => result.outcome === 'failed';
  // Failed ones first, each group in the order of the run.
  const results = [...ended.filter(isFailed), ...ended.filter((result) => !isFailed(result))];
  const problems = events.filter((event) => event.event === 'problem');
  const summary = events.find((event) => event.event === 'summary');

  const outcomes = ['failed', 'flaky', 'passed', 'skipped', 'todo'];
  const marks = { passed: '✓', failed: '✗', flaky: '~', skipped: '–', todo: '○' };

  const seconds = (time) => (time === null ? '?' : `${time.toFixed(Math.abs(time) < 10 ? 2 : 1)} s`);
  const duration = (time) => (time < 0.9995 ? `${Math.round(time * 1000)} ms` : seconds(time));
  const place = (location) => `${location.file}:${location.line}`;

  // The head

  function showHead() {
    const counts = summary.counts;
    const [verdict, style] = summary.interrupted ? ['Interrupted', 'flaky']
      : summary.passed ? ['Passed', 'passed'] : ['Failed', 'failed'];
    find('title').textContent = visible(`${plan.program} test`);
    find('verdict').textContent = verdict;
    find('verdict').classList.add(style);
    document.title = visible(`${verdict}: ${plan.program} test`);
    const files = new Set(results.map((result) => result.file)).size;
    const ran = results.length < plan.total
      ? `${number(results.length)} of ${counted(plan.total, 'scenario')}` : counted(plan.total, 'scenario');
    const totals = ['passed', 'failed', 'flaky', 'skipped', 'todo'].filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `${number(counts[outcome])} ${outcome}`).join(', ');
    const facts = [totals, `${ran} in ${counted(files, 'file')}`, seconds(summary.seconds), ...summary.notes]
      .filter(Boolean);
    if (plan.shuffle_seed !== null) facts.push('shuffled');
    if (plan.date !== null) facts.push(`${plan.date.replace('T', ' ').slice(0, 16)} UTC`);
    if (plan.program_version !== null) facts.push(`${plan.program} ${plan.program_version}`);
    find('facts').textContent = visible(facts.join(' · '));
    for (const outcome of ['passed', 'flaky', 'failed', 'todo', 'skipped']) {
      if (!counts[outcome]) continue;
      const part = make(`span.${outcome}`);
      part.style.flexGrow = counts[outcome];
      find('bar').append(part);
    }
    find('problems').hidden = problems.length === 0;
    find('problem-list').append(...problems.map((problem) => make('li',
      make('p.place', problem.location ? place(problem.location) : problem.file),
      make('pre.message', problem.message),
      problem.location?.source ? make('code.source', problem.location.source) : null)));
  }

  function showLegend() {
    const meanings = {
      passed: 'all expectations were met', failed: 'an expectation wasn\u2019t met, or an error was raised',
      flaky: 'failed, then passed', skipped: 'wasn\u2019t run', todo: 'may fail until it is done',
    };
    for (const outcome of ['passed', 'failed', 'flaky', 'skipped', 'todo']) {
      find('legend-list').append(make(`li.${outcome}`, make('span.mark', marks[outcome]), ` ${outcome}: ${meanings[outcome]}`));
    }
    find('legend-list').append(make('li', make('span.old', '\u2212 expected'), ' ', make('span.new', '+ actual')));
  }

  function showCoverage() {
    const coverage = summary.coverage;
    if (coverage === null) return;
    find('coverage').hidden = false;
    find('coverage-title').textContent = `Coverage: ${coverage.percentage.toFixed(1)} %`;
    const kinds = ['actions', 'errors', 'fields'];
    const cell = (part) => {
      const data = make('td', part.count === 0 ? '–' : `${part.touched}/${part.count}`);
      if (part.missing.length > 0) data.append(make('span.missing', part.missing.join(', ')));
      return data;
    };
    find('coverage-rows').append(...coverage.features.map((feature) => make('tr',
      make('th', { scope: 'row' }, feature.name), ...kinds.map((kind) => cell(feature[kind])))));
  }

  // Search and filters

  const chosen = { words: [], outcome: null, tag: null };
  let shown = results;

  function searchText(result) {
    result.searchText ??= [
      result.file, result.full_name, ...result.tags, result.reason ?? '',
      ...result.failures.map((failure) => failure.message),
    ].join('\n').toLowerCase();
    return result.searchText;
  }

  const isChosen = (result) =>
    (chosen.outcome === null || result.outcome === chosen.outcome)
    && (chosen.tag === null || result.tags.includes(chosen.tag))
    && chosen.words.every((word) => searchText(result).includes(word));

  function update() {
    shown = results.filter(isChosen);
    const all = shown.length === results.length;
    find('count').textContent = all ? counted(results.length, 'scenario')
      : `${number(shown.length)} of ${counted(results.length, 'scenario')}`;
    showRows();
  }

  // A row of buttons of which one is pressed; the first chooses everything.
  function showButtons(container, key, choices) {
    const buttons = choices.map(([value, label, count]) => make('button', {
      type: 'button',
      'aria-pressed': String(value === null),
      onclick: () => {
        chosen[key] = chosen[key] === value ? null : value;
        for (const [position, other] of buttons.entries()) {
          other.setAttribute('aria-pressed', String(choices[position][0] === chosen[key]));
        }
        update();
      },
    }, make('span.text', label), ' ', make('span.number', number(count))));
    container.append(...buttons);
  }

  function showTags() {
    const counts = new Map();
    for (const result of results) {
      for (const tag of result.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    const tags = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
    const container = find('tags');
    container.hidden = false;
    showButtons(container, 'tag', [
      [null, 'any tag', results.length], ...tags.map(([tag, count]) => [tag, `#${tag}`, count]),
    ]);
  }

  function showFilters() {
    const present = outcomes.filter((outcome) => summary.counts[outcome] > 0);
    showButtons(find('outcomes'), 'outcome', [
      [null, 'all', results.length],
      ...present.map((outcome) => [outcome, outcome, summary.counts[outcome]]),
    ]);
    showTags();
    let timer;
    find('search').addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        chosen.words = find('search').value.toLowerCase().split(/\s+/).filter(Boolean);
        update();
      }, 60);
    });
    find('filters').addEventListener('submit', (event) => event.preventDefault());
  }

  // Rows: made as they come into view, a batch at a time

  const batch = 100;
  const opened = new Set(results.filter((result) => result.outcome === 'failed').slice(0, 10));
  let rowCount = 0;

  function showRows() {
    rowCount = 0;
    find('results').replaceChildren();
    if (shown.length === 0) find('results').append(make('p.empty', 'No scenario matches.'));
    fillView();
  }

  // Adds rows until there are some below what is in view.
  function fillView() {
    while (rowCount < shown.length && find('end').getBoundingClientRect().top < innerHeight + 1500) addRows();
  }

  function addRows() {
    const next = shown.slice(rowCount, rowCount + batch);
    const rows = document.createDocumentFragment();
    for (const [position, result] of next.entries()) {
      const index = rowCount + position;
      if (shown[index - 1]?.file !== result.file) rows.append(make('h2.file', result.file));
      rows.append(row(result, shown[index + 1]?.file !== result.file));
    }
    rowCount += next.length;
    find('results').append(rows);
  }

  function row(result, isLast) {
    const name = make('span.name');
    if (result.groups.length > 0) name.append(make('span.group', result.groups.join(' › ') + ' › '));
    name.append(visible(result.name) || '(no name)');
    if (result.reason) name.append(make('span.reason', `: ${result.reason}`));
    if (result.outcome === 'flaky') name.append(make('span.reason', `: passed at attempt ${result.attempts}`));
    const head = make('summary', make('span.mark', { 'aria-hidden': 'true' }, marks[result.outcome]),
      make('span', make('span.hidden', `${result.outcome}: `), name),
      make('span.labels', ...result.tags.map((tag) => make('span.label', tag))),
      make('span.time', result.attempts > 0 ? duration(result.seconds) : ''));
    const details = make(`details.scenario.${result.outcome}${isLast ? '.last' : ''}`, head);
    details.id = anchor(result);
    const fill = () => { if (details.children.length === 1) details.append(body(result)); };
    details.open = opened.has(result);
    if (details.open) fill();
    details.addEventListener('toggle', () => {
      if (!details.open) return opened.delete(result);
      opened.add(result);
      return fill();
    });
    return details;
  }

  // A link leads to a scenario by its file and full name, which stay the same in later runs.
  const anchor = (result) => encodeURIComponent(`${result.file}:${result.full_name}`);

  // Opens the scenario that the page's address names, and scrolls to it.
  function showLinked() {
    const name = location.hash.slice(1);
    const index = shown.findIndex((result) => anchor(result) === name);
    if (index < 0) return;
    opened.add(shown[index]);
    while (rowCount <= index) addRows();
    const row = find(name);
    row.open = true;
    row.scrollIntoView();
  }

  // One scenario in full

  function body(result) {
    return make('div.body', ...result.failures.map(failure),
      result.timeline.length > 0 ? make('section', make('h3', 'Actions'), timeline(result)) : null,
      result.output !== '' ? make('section', make('h3', 'Output'), scrollable(make('pre.output', result.output))) : null,
      make('section', make('h3', 'Run only this scenario'),
        make('div.run', make('pre.command', result.command), copyButton(result.command)),
        make('a.link', { href: `#${anchor(result)}` }, 'Link to this scenario')));
  }

  // Only what can be focused can be scrolled without a mouse.
  function scrollable(part) {
    if (part.textContent.length > 1000 || part.textContent.split('\n').length > 15) part.tabIndex = 0;
    return part;
  }

  function located(role, location) {
    return [make('p.place', `${role}${place(location)}`),
      location.excerpt ? excerpt(location) : location.source ? make('code.source', location.source) : null];
  }

  // The line of a failure with those around it.
  function excerpt({ line, excerpt: { first, lines } }) {
    const code = make('pre.source');
    for (const [index, text] of lines.entries()) {
      const number = first + index;
      code.append(make(number === line ? 'span.line.marked' : 'span.line', `${number}  ${text}\n`));
    }
    return code;
  }

  function failure(failure) {
    const limit = 200;
    const rest = failure.differences.length - limit;
    return make('section.failure',
      scrollable(make('pre.message', failure.message || failure.kind)),
      ...(failure.location ? located('', failure.location) : []),
      ...failure.callers.slice(0, 20).flatMap((caller) => located('called from ', caller)),
      make('div.differences', ...failure.differences.slice(0, limit).map(difference),
        rest > 0 ? make('p.place', counted(rest, 'more difference')) : null));
  }

  // The lengths of the beginning and the end that two texts share; none if that is less than half.
  function common(one, other) {
    const length = Math.min(one.length, other.length);
    let start = 0;
    let end = 0;
    while (start < length && one[start] === other[start]) start += 1;
    while (end < length - start && one.at(-end - 1) === other.at(-end - 1)) end += 1;
    const isPair = (code) => code >= 0xd800 && code < 0xe000;
    while (start > 0 && isPair(one.charCodeAt(start - 1))) start -= 1;
    while (end > 0 && isPair(one.charCodeAt(one.length - end))) end -= 1;
    return 2 * (start + end) < Math.max(one.length, other.length) ? [0, 0] : [start, end];
  }

  // The expected value above the actual one, with the part marked in which they differ.
  function difference({ path, expected, actual }) {
    const [start, end] = expected !== null && actual !== null ? common(expected, actual) : [0, 0];
    const value = (kind, name, text) => {
      if (text === null) return make(`span.${kind}.none`, make('span.hidden', `${name}: `), 'nil');
      const isPart = start + end > 0;
      const middle = text.slice(start, text.length - end);
      return scrollable(make(`span.${kind}`, make('span.hidden', `${name}: `), kind === 'old' ? '− ' : '+ ',
        ...(isPart ? [text.slice(0, start), make('mark', middle), text.slice(text.length - end)] : [text])));
    };
    return make('div.difference', make('span.path', path),
      make('span.values', value('old', 'expected', expected), value('new', 'actual', actual)));
  }

  function timeline(result) {
    const { timeline: entries, earlier_actions: earlier } = result;
    return make('ol.timeline',
      earlier > 0 ? make('li', make('span.place', counted(earlier, 'earlier action'))) : null, ...entries.map(action));
  }

  // The parts of the state that the actions until one changed, with their values after it; made when it is opened.
  function stateAfter(position, entries) {
    const details = make('details.state', make('summary', 'State'));
    details.addEventListener('toggle', () => {
      if (details.children.length > 1) return;
      const state = new Map();
      for (const entry of entries.slice(0, position + 1)) {
        for (const { path, new: value } of entry.changes) {
          if (!path.endsWith('.removed')) state.set(path, value);
        }
      }
      const rows = [...state].sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([path, value]) => make('div.change', make('span.path', path), make('span', value ?? 'nil')));
      details.append(...rows);
    });
    return details;
  }

  function action({ action, time, location, changes }, position, entries) {
    const before = entries[position - 1]?.location;
    const isNew = location && !(before && place(before) === place(location));
    return make('li',
      make('div.action', make('span.when', seconds(time)), make('code', action),
        location ? make('span.place', place(location)) : null),
      isNew && location.source ? make('code.source', location.source) : null,
      ...changes.slice(0, 200).map(change), stateAfter(position, entries),
      changes.length > 200 ? make('p.place', `${number(changes.length - 200)} more changes`) : null);
  }

  // Keys

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const search = find('search');
    if (event.key !== '/' || document.activeElement === search) return;
    event.preventDefault();
    search.focus();
    search.select();
  });

  // A printed page has all rows, within reason, and failures in full.
  addEventListener('beforeprint', () => {
    while (rowCount < Math.min(shown.length, 5000)) addRows();
    for (const row of find('results').querySelectorAll('details.failed')) row.open = true;
  });

  showHead();
  showCoverage();
  showLegend();
  showFilters();
  update();
  showLinked();
  addEventListener('hashchange', showLinked);
  addEventListener('scroll', fillView, { passive: true });
  addEventListener('resize', fillView);
})();
