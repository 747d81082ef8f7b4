import type { ExploreGraphResponse } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { Panel } from '../../parts/panel.tsx';
import { words } from '../../words/graph.ts';
import { GraphControls } from './graph-controls.tsx';
import { GraphTable } from './graph-table.tsx';
import { LinkPassages } from './link-passages.tsx';
import { Overview } from './overview.tsx';
import { PathPanel } from './path-panel.tsx';
import { GraphDrawing } from './graph-drawing.tsx';

const route = getRouteApi('/graph');
const NODES_MOST = 200;
const DEPTH = 2;

/** The whole graph, or what is connected to one name. */
export function GraphScreen() {
  const { entity, link } = route.useSearch();
  const [source, target] = link?.split('~') ?? [];
  return (
    <div className="stack">
      <h1>{words.title}</h1>
      {entity === undefined ? <Overview /> : <Around start={entity} />}
      {source !== undefined && target !== undefined && <LinkPassages key={link} source={source} target={target} />}
    </div>
  );
}

function Around({ start }: { start: string }) {
  const memory = useMemory();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const params = {
    ...memory,
    max_hops: Number(search.depth ?? DEPTH),
    limit: NODES_MOST,
    ...(search.relation === undefined ? {} : { relationship_types: search.relation }),
  };
  const query = useQuery({
    queryKey: ['explore', start, params],
    queryFn: () => cairn.graph.explore(start, params),
  });
  return (
    <>
      <GraphControls edges={query.data?.edges ?? []} />
      {search.to !== undefined && <PathPanel source={start} target={search.to} />}
      <Panel
        title={words.picture}
        query={query}
        call={{
          name: 'graph.explore',
          method: 'GET',
          path: `/memory/graph/explore/${start}`,
          ids: [start],
          query: params,
        }}
        actions={
          <Link to="/graph" search={{}}>
            {words.wholeAgain}
          </Link>
        }
      >
        {(graph: ExploreGraphResponse) => (
          <div className="stack">
            <p className="quiet small">{words.hint}</p>
            <GraphDrawing
              graph={graph}
              onName={(id) => void navigate({ to: '/entities/$entityId', params: { entityId: id }, search: {} })}
              onLink={(from, to) => void navigate({ search: (kept) => ({ ...kept, link: `${from}~${to}` }) })}
            />
            <p className="quiet small">
              {graph.truncated
                ? words.truncated(graph.nodes.length)
                : words.shown(graph.nodes.length, graph.edges.length)}
            </p>
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
