import type { EntityPath } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { Panel } from '../../parts/panel.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/graph.ts';
import { Statements } from './statements.tsx';

const route = getRouteApi('/graph');
/** The only link without a direction. */
const CO_OCCURS = 'co_occurs';

/** How two names are connected: each step with the sentences that state it. */
export function PathPanel({ source, target }: { source: string; target: string }) {
  const memory = useMemory();
  const query = useQuery({
    queryKey: ['explore', 'path', source, target, memory],
    queryFn: async () => await cairn.graph.path(source, target, memory),
  });
  return (
    <Panel
      title={words.path}
      query={query}
      call={{
        name: 'graph.path',
        method: 'GET',
        path: `/memory/graph/paths/${source}/${target}`,
        ids: [source, target],
        query: memory,
      }}
      actions={
        <Link to={route.id} search={(kept) => ({ ...kept, to: undefined })}>
          {words.pathClose}
        </Link>
      }
      empty={({ entities, truncated }) =>
        entities.length === 0 ? <p>{truncated ? words.pathCut : words.noPath}</p> : null
      }
    >
      {(path: EntityPath) => (
        <ol className="path">
          {path.entities.map((entity, index) => (
            <li key={entity.entity_id}>
              <Link to="/entities/$entityId" params={{ entityId: entity.entity_id }} search={{}}>
                {entity.name}
              </Link>{' '}
              <span className="quiet small">{entity.type}</span>
              <Step hop={path.hops[index]} from={entity.entity_id} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Step({ hop, from }: { hop: EntityPath['hops'][number] | undefined; from: string }) {
  if (hop === undefined) return null;
  const types = new Set(
    hop.links.map(({ source, type }) =>
      type === CO_OCCURS ? words.together : `${source === from ? '↓' : '↑'} ${wordsOf(type)}`,
    ),
  );
  return (
    <div className="step">
      <p className="small">{[...types].join(', ')}</p>
      <Statements passages={hop.passages} />
    </div>
  );
}
