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
  const words = at(`count-${name}`).nextElementSibling;
  words.textContent = counts[name] === 1 ? words.dataset.one : words.dataset.many;
};
const show = (id) => {
  at(id).hidden = false;
};

const REASONS = {
  robots: 'its robots.txt does not allow it',
  redirect: 'it leads elsewhere on the site, which is read instead',
  redirect_elsewhere: 'it leads to another site',
  redirects_exceeded: 'it leads in a circle',
  duplicate: 'it says the same as another',
  noindex: 'it asks not to be listed',
  empty: 'it holds no text',
  gone: 'it is gone',
  unreadable: 'it cannot be read',
  media_type: 'it is no text',
  body_too_large: 'it is too large',
  address_refused: 'its address may not be asked',
};
const reasonOf = (reason) =>
  REASONS[reason] ?? (/^status_(\d+)$/.test(reason) ? `it answers ${reason.slice(7)}` : reason.replaceAll('_', ' '));
const BUDGETS = {
  seconds: 'time',
  pages: 'pages',
  tokens: 'tokens of the model',
  cost_usd: 'cost of the model',
  text_chars: 'text',
};
const shareOf = ({ used, limit }) => `${Math.min(100, Math.round((used / limit) * 100))} %`;

const textOf = (point) => (typeof point === 'string' ? point : point.text);

/** How far a run is, in what it counts: ", 12 of 60 pages, 4 rows". */
const counted = ({ pages, pages_max: pagesMax, rows, documents, findings }) =>
  [
    pages === undefined ? '' : `${pages} of ${pagesMax} pages`,
    rows === undefined ? '' : `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    documents === undefined ? '' : `${documents} ${documents === 1 ? 'document' : 'documents'} read`,
    findings === undefined ? '' : `${findings} ${findings === 1 ? 'finding' : 'findings'}`,
  ]
    .filter((part) => part !== '')
    .map((part) => `, ${part}`)
    .join('');

const WORDS = {
  'run.queued': () => 'Waiting for a free worker',
  'run.started': () => 'Started',
  'run.progress': (data) =>
    data.note === undefined ? `Now ${data.stage}${counted(data)}` : `While on the ${data.stage}, ${data.note}`,
  'plan.ready': (data) => `To look into: ${(data.questions ?? data.criteria ?? []).map(textOf).join('; ')}`,
  'query.issued': (data) => `Looked up “${data.query}” — ${data.found} found`,
  'source.fetched': (data) => `Read ${data.title || data.uri}`,
  'source.skipped': (data) => `Skipped ${data.uri ?? data.origin}: ${reasonOf(data.reason)}`,
  'finding.added': (data) => `Found in ${data.title}: “${data.quote}”`,
  'conflict.found': (data) => `Sources disagree: ${data.statements.map((side) => `“${side.quote}”`).join(' — ')}`,
  'row.candidate': (data) => `Candidate ${data.name}`,
  'row.matched': (data) => `Listed ${data.name}`,
  'row.rejected': (data) => `Not listed ${data.name}: ${data.reason}`,
  'clarification.requested': (data) => `Asked: ${data.question}`,
  'clarification.answered': (data) => `${data.assumed ? 'Assumed' : 'Answered'}: ${data.answer}`,
  'budget.warning': (data) =>
    `${data.stopped ? 'Used up' : 'Nearly used up'}: ${BUDGETS[data.budget] ?? data.budget} (${shareOf(data)})`,
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
  const time = new Date(event.at).toLocaleTimeString('en-GB');
  item.append(make('time', time, { datetime: event.at }), make('span', words, { dir: 'auto' }));
  at('log').prepend(item);
  while (at('log').childElementCount > LOG_MAX) at('log').lastElementChild.remove();
};

/** A sentence whose citations lead to the lines of their sources. */
const cited = (name, text) => {
  const element = make(name, undefined, { dir: 'auto' });
  for (const part of text.split(/(?<!\s)(\s*\[\d{1,6}\])/)) {
    const number = /^\s*\[(\d+)\]$/.exec(part)?.[1];
    if (number === undefined) {
      element.append(part);
      continue;
    }
    const mark = make('sup');
    mark.append(make('a', number, { href: `#source-${number}`, 'aria-label': `source ${number}` }));
    element.append(mark);
  }
  return element;
};

/** `[1] [4]: title <address>`; the address may be missing. */
const sourceLine = (line) => {
  const end = line.indexOf(']: ');
  const numbers = line.slice(1, end).split('] [');
  const rest = line.slice(end + 3);
  const bracket = rest.endsWith('>') ? rest.indexOf(' <') : -1;
  if (bracket < 0) return { numbers, name: rest };
  return { numbers, name: rest.slice(0, bracket), uri: rest.slice(bracket + 2, -1) };
};

const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const renderReport = () => {
  const lines = report.split('\n');
  const target = at('report');
  target.replaceChildren();
  let list = null;
  let table = null;
  for (const line of lines) {
    if (!line.startsWith('|')) table = null;
    if (line.startsWith('# ') || line.trim() === '') continue;
    const item = /^- (.*)$/.exec(line);
    if (item === null) list = null;
    if (line.startsWith('|')) {
      const cells = cellsOf(line);
      if (cells.every((cell) => /^-{3,}$/.test(cell))) continue;
      const row = make('tr');
      for (const cell of cells) row.append(table === null ? make('th', cell, { scope: 'col' }) : cited('td', cell));
      if (table === null) target.append((table = make('table')));
      table.append(row);
      continue;
    }
    if (line.startsWith('## ')) target.append(make('h3', line.slice(3)));
    else if (item !== null) {
      if (list === null) target.append((list = make('ul')));
      list.append(cited('li', item[1]));
    } else if (/^\[\d+\](?: \[\d+\])*: /.test(line)) {
      const { numbers, name, uri } = sourceLine(line);
      const source = make('p', undefined, { class: 'source' });
      for (const number of numbers)
        source.append(
          make('span', `${number}${number === numbers.at(-1) ? '.' : ','}`, { id: `source-${number}` }),
          ' ',
        );
      source.append(link(name, uri));
      target.append(source);
    } else if (line.replace(/^> ?/, '') !== '') target.append(cited('p', line.replace(/^> ?/, '')));
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
    row.append(
      make('td', column === 'name' ? name : (cells[column]?.value ?? ''), {
        'data-label': column.replaceAll('_', ' '),
        dir: 'auto',
      }),
    );
  at('rows').append(row);
  show('rows-section');
};

const HANDLERS = {
  'run.queued': () => setStatus('queued'),
  'run.started': () => {
    setStatus('running');
    at('stage').textContent = '';
  },
  'run.progress': (data) => {
    at('progress').value = data.percent;
    at('stage').textContent = `${data.stage}${counted(data)}`;
  },
  'source.fetched': (data) => {
    count('sources');
    const item = make('li');
    item.append(link(data.title || data.uri, data.uri));
    if (data.uri) item.append(make('small', data.uri.replace(/^https?:\/\//, '')));
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
  'run.failed': ({ message }) => {
    at('trouble').textContent = message;
    show('trouble-section');
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
    at('question-section').hidden = true;
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
