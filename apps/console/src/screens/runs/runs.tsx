import type { RunSummary } from '@cairn/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Bar } from '../../parts/bar.tsx';
import { Chip } from '../../parts/chip.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { numberText, wordsOf } from '../../text/format.ts';
import { words } from '../../words/research.ts';
import { Actor } from '../actor.tsx';
import { KINDS } from './kinds.ts';
import { isSettled } from './settled.ts';
import { StartRun } from './start-run.tsx';

const route = getRouteApi('/runs');
const PAGE = 30;
const UNSETTLED_MS = 3_000;

const STATUSES = [
  'awaiting_clarification',
  'awaiting_connection',
  'queued',
  'running',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const;

export function RunsScreen() {
  const { data: who } = useWhoami();
  const search = route.useSearch();
  const kind = KINDS.find((each) => each === search.kind);
  const status = STATUSES.find((each) => each === search.status);
  const params = {
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    ...(search.query === undefined ? {} : { query: search.query }),
    limit: PAGE,
  };
  const query = usePages(['runs', params], (cursor) => cairn.runs.list({ ...params, ...cursor }), {
    refetchInterval: UNSETTLED_MS,
    pollWhile: (pages) => pages.some(({ runs }) => runs.some((run) => !isSettled(run.status))),
  });
  return (
    <div className="stack">
      <h1>{words.runs}</h1>
      {who?.credential.scopes.includes('search:run') === true && (
        <StartRun open={query.data?.pages[0]?.runs.length === 0} />
      )}
      <Panel
        title={words.runs}
        query={query}
        call={{ name: 'runs.list', method: 'GET', path: '/search/runs', query: params }}
        actions={<Filters />}
        empty={({ pages }) => (pages[0]?.runs.length === 0 ? <Kinds /> : null)}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.runs}
              columns={COLUMNS}
              rows={waitingFirst(pages.flatMap(({ runs }) => runs))}
              idOf={({ thread_id }) => thread_id}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

/** Those that wait for a person come first; otherwise the order of the API. */
function waitingFirst(runs: readonly RunSummary[]): RunSummary[] {
  const waits = ({ status }: RunSummary) => status === 'awaiting_clarification';
  return [...runs.filter(waits), ...runs.filter((run) => !waits(run))];
}

function Kinds() {
  return (
    <>
      <p>{words.empty}</p>
      <dl>
        {KINDS.map((kind) => (
          <div key={kind} className="pair">
            <dt>{wordsOf(kind)}</dt>
            <dd>{words.kinds[kind]}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Filters() {
  const { kind, status, query } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: { kind?: string; status?: string; query?: string }) =>
    void navigate({ search: (kept) => ({ ...kept, ...change }) });
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        set({ query: String(new FormData(event.currentTarget).get('query') ?? '').trim() });
      }}
    >
      <input name="query" aria-label={words.find} placeholder={words.find} defaultValue={query ?? ''} />
      <select aria-label={words.kind} value={kind ?? ''} onChange={({ target }) => set({ kind: target.value })}>
        <option value="">{words.everyKind}</option>
        {KINDS.map((each) => (
          <option key={each} value={each}>
            {wordsOf(each)}
          </option>
        ))}
      </select>
      <select aria-label={words.status} value={status ?? ''} onChange={({ target }) => set({ status: target.value })}>
        <option value="">{words.everyStatus}</option>
        {STATUSES.map((each) => (
          <option key={each} value={each}>
            {wordsOf(each)}
          </option>
        ))}
      </select>
    </form>
  );
}

const COLUMNS: readonly Column<RunSummary>[] = [
  {
    name: words.prompt,
    cell: ({ thread_id, prompt }) => (
      <Link to="/runs/$threadId" params={{ threadId: thread_id }}>
        {prompt}
      </Link>
    ),
  },
  { name: words.kind, cell: ({ kind }) => wordsOf(kind) },
  {
    name: words.status,
    cell: ({ status, progress }) => (
      <>
        <Chip state={status} />
        {!isSettled(status) && <Bar share={progress.percent / 100} label={`${progress.percent} %`} />}
      </>
    ),
  },
  { name: words.credits, number: true, cell: ({ credits }) => numberText(credits) },
  { name: words.by, cell: ({ started_by }) => <Actor id={started_by} /> },
  { name: words.started, cell: ({ created_at }) => <Time at={created_at} ago /> },
];
