// Shows the run's log as it grows. Everything that comes from a source is put in as text, never as markup.
const at = (id) => document.getElementById(id);
const make = (name, text, attributes = {}) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const ENDED = ['run.completed', 'run.failed', 'run.cancelled', 'run.expired'];
const LOG_MAX = 400;
const counts = { sources: 0, findings: 0, conflicts: 0, rows: 0 };
let report = '';

const link = (title, uri) => {
  if (!/^https?:\/\//i.test(uri ?? '')) return make('span', title);
  return make('a', title || uri, { href: uri, rel: 'noopener noreferrer nofollow', target: '_blank' });
};
const setStatus = (status) => {
  const pill = at('status');
  pill.dataset.status = status;
  pill.textContent = status.replaceAll('_', ' ');
};
const count = (name) => {
  counts[name] += 1;
  at(`count-${name}`).textContent = counts[name];
};
const show = (id) => {
  at(id).hidden = false;
};

const WORDS = {
  'run.queued': () => 'Waiting for a free worker',
  'run.started': () => 'Started',
  'run.progress': (data) => `Now ${data.stage}`,
  'plan.ready': (data) => `Plan: ${(data.questions ?? data.criteria ?? []).length} points to look into`,
  'query.issued': (data) => `Looked up “${data.query}” — ${data.found} found`,
  'source.fetched': (data) => `Read ${data.title || data.uri}`,
  'source.skipped': (data) => `Skipped ${data.uri ?? data.origin}: ${data.reason}`,
  'finding.added': (data) => `Found in ${data.title}: “${data.quote}”`,
  'conflict.found': (data) => `Sources disagree: ${data.statements.map((side) => `“${side.quote}”`).join(' — ')}`,
  'row.candidate': (data) => `Candidate ${data.name}`,
  'row.matched': (data) => `Listed ${data.name}`,
  'row.rejected': (data) => `Not listed ${data.name}: ${data.reason}`,
  'clarification.requested': (data) => `Asked: ${data.question}`,
  'clarification.answered': (data) => `${data.assumed ? 'Assumed' : 'Answered'}: ${data.answer}`,
  'budget.warning': (data) =>
    `${data.stopped ? 'Used up' : 'Nearly used up'}: ${data.budget} (${data.used} of ${data.limit})`,
  'report.ready': () => 'The report is ready',
  'run.completed': () => 'Completed',
  'run.failed': (data) => `Failed: ${data.message}`,
  'run.cancelled': () => 'Stopped',
  'run.expired': () => 'Nobody connected in time',
};

const addToLog = (event) => {
  const words = WORDS[event.type]?.(event.data);
  if (words === undefined) return;
  const item = make('li');
  item.append(make('time', new Date(event.at).toLocaleTimeString(), { datetime: event.at }), words);
  at('log').prepend(item);
  while (at('log').childElementCount > LOG_MAX) at('log').lastElementChild.remove();
};

const renderReport = () => {
  const lines = report.split('\n');
  const target = at('report');
  target.replaceChildren();
  let list = null;
  for (const line of lines) {
    if (line.startsWith('# ') || line.trim() === '') continue;
    const item = /^- (.*)$/.exec(line);
    if (item === null) list = null;
    if (line.startsWith('## ')) target.append(make('h3', line.slice(3)));
    else if (item !== null) {
      if (list === null) target.append((list = make('ul')));
      list.append(make('li', item[1]));
    } else if (/^\[\d+\]: /.test(line)) {
      const [, name, uri] = /^(.*?)(?: <(.*)>)?$/.exec(line);
      const source = make('p', undefined, { class: 'source' });
      source.append(link(name, uri));
      target.append(source);
    } else target.append(make('p', line.replace(/^> ?/, '')));
  }
  show('report-section');
};

const addRow = ({ name, cells = {} }) => {
  const head = at('rows-head');
  const columns = [...head.cells].map((cell) => cell.dataset.column);
  for (const column of Object.keys(cells)) {
    if (columns.includes(column)) continue;
    columns.push(column);
    head.append(make('th', column.replaceAll('_', ' '), { 'data-column': column, scope: 'col' }));
  }
  const row = make('tr');
  for (const column of columns)
    row.append(make('td', column === 'name' ? name : (cells[column]?.value ?? ''), { 'data-label': column }));
  at('rows').append(row);
  show('rows-section');
};

const HANDLERS = {
  'run.queued': () => setStatus('queued'),
  'run.started': () => setStatus('running'),
  'run.progress': ({ stage, percent }) => {
    at('progress').value = percent;
    at('stage').textContent = stage;
  },
  'source.fetched': (data) => {
    count('sources');
    const item = make('li');
    item.append(link(data.title || data.uri, data.uri));
    at('sources').prepend(item);
    show('sources-section');
  },
  'finding.added': () => count('findings'),
  'conflict.found': () => count('conflicts'),
  'row.matched': (data) => {
    count('rows');
    addRow(data);
  },
  'clarification.requested': (data) => {
    setStatus('awaiting_clarification');
    at('question').textContent = data.question;
    at('question-default').textContent = `Without an answer: ${data.default}`;
    show('question-section');
  },
  'clarification.answered': () => {
    setStatus('running');
    at('question-section').hidden = true;
  },
  'report.delta': ({ text }) => {
    report += `\n${text}`;
    renderReport();
  },
};

const parameters = new URLSearchParams(location.search);
let lastSeq = 0;
const follow = () => {
  const query = new URLSearchParams({ ticket: parameters.get('ticket') ?? '', last_event_id: String(lastSeq) });
  const source = new EventSource(`${location.pathname.replace(/\/$/, '')}/events?${query}`);
  const take = (message) => {
    const event = JSON.parse(message.data);
    if (event.seq <= lastSeq) return;
    lastSeq = event.seq;
    HANDLERS[event.type]?.(event.data);
    addToLog(event);
    if (!ENDED.includes(event.type)) return;
    setStatus(event.type.slice('run.'.length));
    at('stage').textContent = '';
    if (event.type === 'run.completed') at('progress').value = 100;
    source.close();
  };
  for (const type of document.body.dataset.types.split(' ')) source.addEventListener(type, take);
  source.addEventListener('open', () => (at('connection').textContent = ''));
  source.addEventListener('error', () => {
    at('connection').textContent = 'The connection is lost; trying again …';
    if (source.readyState === EventSource.CLOSED)
      at('connection').textContent = 'This page may no longer watch the run. Ask for a new address.';
  });
};
follow();
