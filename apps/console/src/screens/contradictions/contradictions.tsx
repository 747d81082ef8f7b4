import { getRouteApi } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { words } from '../../words/knowledge.ts';
import { ContradictionCard } from './contradiction-card.tsx';

const route = getRouteApi('/contradictions');
const PAGE = 20;

export function ContradictionsScreen() {
  const memory = useMemory();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = status === 'resolved' ? ('resolved' as const) : ('open' as const);
  const params = { ...memory, status: chosen, limit: PAGE };
  const query = usePages(['contradictions', params], (cursor) =>
    cairn.graph.contradictions.list({ ...params, ...cursor }),
  );
  return (
    <div className="stack">
      <h1>{words.contradictions}</h1>
      <Panel
        title={chosen === 'open' ? words.open : words.resolved}
        query={query}
        call={{ name: 'graph.contradictions.list', method: 'GET', path: '/memory/contradictions', query: params }}
        actions={
          <select
            aria-label={words.status}
            value={chosen}
            onChange={({ target }) => void navigate({ search: (kept) => ({ ...kept, status: target.value }) })}
          >
            <option value="open">{words.open}</option>
            <option value="resolved">{words.resolved}</option>
          </select>
        }
        empty={({ pages }) => (pages[0]?.contradictions.length === 0 ? <p>{words.agree}</p> : null)}
      >
        {({ pages }) => (
          <>
            <ul className="plain">
              {pages
                .flatMap((page) => page.contradictions)
                .map((one) => (
                  <ContradictionCard key={one.contradiction_id} contradiction={one} />
                ))}
            </ul>
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}
