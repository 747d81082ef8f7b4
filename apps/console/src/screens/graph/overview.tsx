import type { GraphOverview } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { keepWithinMemory } from '../../app/keep-within-memory.ts';
import { useMemory } from '../../app/memory.ts';
import { Panel } from '../../parts/panel.tsx';
import { words } from '../../words/graph.ts';
import { GraphControls } from './graph-controls.tsx';
import { GraphTable } from './graph-table.tsx';
import { GraphDrawing } from './graph-drawing.tsx';
import { colourOf } from './place-nodes.ts';

const route = getRouteApi('/graph');
const STEP = 200;
/** As many as the API shows. */
const MOST = 1_000;
const COMMUNITIES_MOST = 24;

/** The most central names where the memory has placed them, the same at every visit. */
export function Overview() {
  const memory = useMemory();
  const { most } = route.useSearch();
  const navigate = route.useNavigate();
  const limit = Math.min(MOST, Math.max(STEP, Math.floor(Number(most)) || STEP));
  const params = { ...memory, limit };
  const key = ['overview', params];
  const query = useQuery({
    queryKey: key,
    queryFn: () => cairn.graph.overview(params),
    placeholderData: keepWithinMemory(key),
  });
  if (query.data?.totals.entities === 0) return <p className="notice">{words.empty}</p>;
  const more = Math.min(STEP, MOST - limit);
  return (
    <>
      <GraphControls edges={[]} />
      <Panel
        title={words.whole}
        query={query}
        call={{ name: 'graph.overview', method: 'GET', path: '/memory/graph/overview', ids: [], query: params }}
        actions={<span className="quiet small">{words.hint}</span>}
      >
        {(graph: GraphOverview) => (
          <div className="stack">
            <GraphDrawing
              graph={graph}
              onName={(id) => void navigate({ to: '/entities/$entityId', params: { entityId: id }, search: {} })}
              onLink={(from, to) => void navigate({ search: (kept) => ({ ...kept, link: `${from}~${to}` }) })}
            />
            <p className="quiet small">
              {words.overview(graph.nodes.length, graph.totals.entities, graph.edges.length)}.{' '}
              {graph.edges_truncated ? words.linksLeftOut : ''}{' '}
              {graph.truncated && more > 0 && (
                <route.Link to="/graph" search={(kept) => ({ ...kept, most: String(limit + more) })}>
                  {words.more(more)}
                </route.Link>
              )}
            </p>
            <Communities graph={graph} />
            <details>
              <summary>{words.table}</summary>
              <GraphTable graph={graph} />
            </details>
          </div>
        )}
      </Panel>
    </>
  );
}

/** Each leads to what is connected to its most central name. */
function Communities({ graph }: { graph: GraphOverview }) {
  if (graph.communities.length === 0) return null;
  return (
    <section>
      <h3>{words.communities}</h3>
      <ul className="plain chips">
        {graph.communities.slice(0, COMMUNITIES_MOST).map(({ community_id, name, entity_id, size }) => (
          <li key={community_id}>
            <svg className="dot" viewBox="0 0 10 10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" fill={colourOf(community_id)} />
            </svg>
            <Link to="/graph" search={{ entity: entity_id }}>
              {name}
            </Link>{' '}
            <span className="quiet small">{words.members(size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
