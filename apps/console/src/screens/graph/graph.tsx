import type { ExploreGraphResponse } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { after } from '../../app/after.ts';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/graph.ts';
import { GraphControls } from './graph-controls.tsx';
import { LinkPassages } from './link-passages.tsx';
import { Picture } from './picture.tsx';

const route = getRouteApi('/graph');
const NODES_MOST = 200;
const DEPTH = 2;

/** What hangs together around a name; without one, around the name that most documents mention. */
export function GraphScreen() {
  const memory = useMemory();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const most = useQuery({
    queryKey: ['entities', 'first', memory],
    queryFn: async () => await cairn.graph.entities.list({ ...memory, sort: 'mentions', limit: 1 }),
    enabled: search.entity === undefined,
  });
  const start = search.entity ?? most.data?.entities[0]?.entity_id;
  const params = {
    ...memory,
    max_hops: Number(search.depth ?? DEPTH),
    limit: NODES_MOST,
    ...(search.relation === undefined ? {} : { relationship_types: search.relation }),
  };
  const query = useQuery({
    queryKey: ['explore', start, params],
    queryFn: () => cairn.graph.explore(start!, params),
    enabled: start !== undefined,
  });
  const [source, target] = search.link?.split('~') ?? [];
  const nothing = most.data?.entities.length === 0;
  return (
    <div className="stack">
      <h1>{words.title}</h1>
      <GraphControls edges={query.data?.edges ?? []} />
      {nothing ? (
        <p className="notice">{words.empty}</p>
      ) : (
        <Panel
          title={words.picture}
          query={after(most, query)}
          call={{
            name: 'graph.explore',
            method: 'GET',
            path: `/memory/graph/explore/${start ?? ''}`,
            ids: [start ?? ''],
            query: params,
          }}
          actions={<span className="quiet small">{words.hint}</span>}
        >
          {(graph) => (
            <div className="stack">
              <Picture
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
      )}
      {source !== undefined && target !== undefined && <LinkPassages source={source} target={target} />}
    </div>
  );
}

/** Everything that the picture shows, in words. */
function GraphTable({ graph }: { graph: ExploreGraphResponse }) {
  const names = new Map(graph.nodes.map(({ entity_id, name }) => [entity_id, name]));
  const linksOf = (id: string) => graph.edges.filter(({ source, target }) => source === id || target === id);
  return (
    <Table
      caption={words.names}
      rows={graph.nodes}
      idOf={({ entity_id }) => entity_id}
      columns={[
        {
          name: words.name,
          cell: ({ entity_id, name }) => (
            <Link to="/entities/$entityId" params={{ entityId: entity_id }}>
              {name}
            </Link>
          ),
        },
        { name: words.type, cell: ({ type }) => type },
        { name: words.documents, number: true, cell: ({ document_count }) => document_count },
        {
          name: words.links,
          cell: ({ entity_id }) => (
            <ul className="plain tight">
              {linksOf(entity_id).map(({ source, target, type }) => (
                <li key={`${source}${target}${type}`}>
                  <route.Link to="/graph" search={(kept) => ({ ...kept, link: `${source}~${target}` })}>
                    {wordsOf(type)} {names.get(source === entity_id ? target : source)}
                  </route.Link>
                </li>
              ))}
            </ul>
          ),
        },
        {
          name: '',
          cell: ({ entity_id }) => (
            <Link to="/graph" search={{ entity: entity_id }}>
              {words.start}
            </Link>
          ),
        },
      ]}
    />
  );
}
