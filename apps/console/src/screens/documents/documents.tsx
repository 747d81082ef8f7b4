import type { Document } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Chip } from '../../parts/chip.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { bytesText, numberText } from '../../text/format.ts';
import { words } from '../../words/documents.ts';
import { DropFiles } from './drop-files.tsx';
import { Stages } from './stages.tsx';

const route = getRouteApi('/documents');
const UNSETTLED_MS = 2_000;
const PAGE = 50;

export function DocumentsScreen() {
  const { data: who } = useWhoami();
  return (
    <div className="stack">
      <h1>{words.title}</h1>
      {who?.credential.scopes.includes('documents:write') === true && <DropFiles />}
      <StatsPanel />
      <ListPanel />
    </div>
  );
}

function StatsPanel() {
  const memory = useMemory();
  const { space, status } = route.useSearch();
  const navigate = route.useNavigate();
  const params = { ...memory, ...(space === undefined ? {} : { space_id: space }) };
  const query = useQuery({
    queryKey: ['documents', 'stats', params],
    queryFn: () => cairn.documents.stats(params),
    refetchInterval: ({ state }) => ((state.data?.oldest_waiting_at ?? null) === null ? false : UNSETTLED_MS),
  });
  return (
    <Panel
      title={words.stages}
      query={query}
      call={{ name: 'documents.stats', method: 'GET', path: '/memory/documents/stats', query: params }}
    >
      {(stats) => (
        <div className="stack">
          <Stages
            stats={stats}
            chosen={status}
            choose={(next) => void navigate({ search: (kept) => ({ ...kept, status: next }) })}
          />
          {stats.oldest_waiting_at !== null && (
            <p className="quiet small">
              {words.waitingSince} <Time at={stats.oldest_waiting_at} ago />,{' '}
              {words.perMinute(stats.completed_last_minute)}
            </p>
          )}
          {stats.by_error.length > 0 && (
            <div>
              <h3>{words.errors}</h3>
              <ul className="plain tight">
                {stats.by_error.map(({ code, documents }) => (
                  <li key={code}>
                    <code>{code}</code> {numberText(documents)}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

function ListPanel() {
  const memory = useMemory();
  const search = route.useSearch();
  const params = {
    ...memory,
    ...(search.space === undefined ? {} : { space_id: search.space }),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.query === undefined ? {} : { query: search.query }),
    sort: search.sort === 'oldest' ? ('oldest' as const) : ('newest' as const),
    limit: PAGE,
  };
  const query = usePages(['documents', 'list', params], (cursor) => cairn.documents.list({ ...params, ...cursor }), {
    refetchInterval: search.status === undefined || search.status === 'completed' ? false : UNSETTLED_MS,
  });
  const filtered = search.status !== undefined || search.query !== undefined || search.space !== undefined;
  return (
    <Panel
      title={words.title}
      query={query}
      call={{ name: 'documents.list', method: 'GET', path: '/memory/documents', query: params }}
      actions={<Filters />}
      empty={({ pages }) =>
        pages[0]?.documents.length === 0 ? <p>{filtered ? words.emptyFiltered : words.empty}</p> : null
      }
    >
      {({ pages }) => (
        <>
          <Table
            caption={words.title}
            columns={COLUMNS}
            rows={pages.flatMap(({ documents }) => documents)}
            idOf={({ doc_id }) => doc_id}
          />
          <MoreButton query={query} />
        </>
      )}
    </Panel>
  );
}

function Filters() {
  const { query, sort } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        const text = String(new FormData(event.currentTarget).get('query') ?? '').trim();
        void navigate({ search: (kept) => ({ ...kept, query: text }) });
      }}
    >
      <input name="query" aria-label={words.find} placeholder={words.find} defaultValue={query ?? ''} />
      <select
        aria-label={words.sort}
        value={sort ?? 'newest'}
        onChange={({ target }) => void navigate({ search: (kept) => ({ ...kept, sort: target.value }) })}
      >
        <option value="newest">{words.newest}</option>
        <option value="oldest">{words.oldest}</option>
      </select>
    </form>
  );
}

const COLUMNS: readonly Column<Document>[] = [
  {
    name: words.name,
    cell: ({ doc_id, title, error }) => (
      <>
        <Link to="/documents/$docId" params={{ docId: doc_id }}>
          {title}
        </Link>
        {error !== null && (
          <div className="small bad">
            {error.message} <code>{error.code}</code>
          </div>
        )}
      </>
    ),
  },
  {
    name: words.status,
    cell: ({ status, routing }) => (
      <>
        <Chip state={status} /> {routing?.needs_review === true && <Chip state="needs_review" />}
      </>
    ),
  },
  { name: words.size, number: true, cell: ({ bytes }) => bytesText(bytes) },
  { name: words.chunks, number: true, cell: ({ chunks }) => chunks },
  {
    name: words.masked,
    number: true,
    cell: ({ masked }) => masked.reduce((sum, { count }) => sum + count, 0),
  },
  { name: words.added, cell: ({ created_at }) => <Time at={created_at} ago /> },
];
