import type { LoggedSearch } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { numberText } from '../../text/format.ts';
import { words } from '../../words/searches.ts';
import { SearchLogSetting } from './search-log-setting.tsx';

const route = getRouteApi('/searches');
const PAGE = 50;
const FILTERS = {
  unanswered: { unanswered: true },
  up: { thumbs: 'up' },
  down: { thumbs: 'down' },
} as const;

/** What was asked of the memory, what found no answer, and what people said of the answers. */
export function SearchesScreen() {
  const memory = useMemory();
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: who } = useWhoami();
  const params = { ...memory, ...FILTERS[show as keyof typeof FILTERS], limit: PAGE };
  const query = usePages(['searches', params], (cursor) => cairn.searches.list({ ...params, ...cursor }));
  const scopes: readonly string[] = who?.credential.scopes ?? [];
  return (
    <div className="stack">
      <h1>{words.title}</h1>
      {scopes.includes('memories:read') && <SearchLogSetting />}
      <Panel
        title={words.title}
        query={query}
        call={{ name: 'searches.list', method: 'GET', path: '/memory/searches', query: params }}
        actions={
          <select
            aria-label={words.filter}
            value={show ?? ''}
            onChange={({ target }) => void navigate({ search: (kept) => ({ ...kept, show: target.value }) })}
          >
            <option value="">{words.all}</option>
            <option value="unanswered">{words.onlyUnanswered}</option>
            <option value="up">{words.onlyUp}</option>
            <option value="down">{words.onlyDown}</option>
          </select>
        }
        empty={({ pages }) => (pages[0]?.searches.length === 0 ? <p>{words.none}</p> : null)}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.title}
              columns={columnsFor(scopes.includes('memory:search'))}
              rows={pages.flatMap(({ searches }) => searches)}
              idOf={({ search_id }) => search_id}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function columnsFor(mayAsk: boolean) {
  return [
    {
      name: words.question,
      cell: ({ question }: LoggedSearch) =>
        mayAsk ? (
          <Link to="/ask" search={(kept) => ({ ...kept, q: question })}>
            {question}
          </Link>
        ) : (
          question
        ),
    },
    { name: words.asked, cell: ({ asked_at }: LoggedSearch) => <Time at={asked_at} ago /> },
    {
      name: words.answer,
      cell: ({ answered, citations }: LoggedSearch) => (answered ? words.cited(citations.length) : words.unanswered),
    },
    { name: words.took, number: true, cell: ({ took_ms }: LoggedSearch) => `${numberText(took_ms)} ms` },
    { name: words.rating, cell: (one: LoggedSearch) => <Rating one={one} may={mayAsk} /> },
  ];
}

/** What was said last can be said otherwise. */
function Rating({ one, may }: { one: LoggedSearch; may: boolean }) {
  const client = useQueryClient();
  const rate = useMutation({
    mutationFn: (helpful: boolean) => cairn.searches.rate(one.search_id, { helpful, memory_id: one.memory_id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['searches'] }),
  });
  return (
    <span className="row">
      {[true, false].map((helpful) => (
        <button
          key={String(helpful)}
          type="button"
          aria-pressed={one.feedback?.helpful === helpful}
          disabled={!may || rate.isPending}
          onClick={() => rate.mutate(helpful)}
        >
          {helpful ? words.helpful : words.unhelpful}
        </button>
      ))}
      {rate.error !== null && <Problem error={rate.error} />}
    </span>
  );
}
