import type { Fact, GraphEdge } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { Chip } from '../../parts/chip.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/entity.ts';
import { LinkPassages } from './link-passages.tsx';

const route = getRouteApi('/entities/$entityId');
const NEIGHBOURS_MOST = 60;

export function EntityScreen() {
  const { entityId } = route.useParams();
  const memory = useMemory();
  const query = useQuery({
    queryKey: ['entity', memory, entityId],
    queryFn: () => cairn.graph.entities.get(entityId, memory),
  });
  const entity = query.data;
  return (
    <div className="stack">
      <div className="title">
        <h1>{entity?.name ?? words.title}</h1>
        {entity !== undefined && (
          <>
            <Chip state={entity.type} tone="quiet" />
            <span className="quiet">{words.documents(entity.document_count)}</span>
            <Link to="/graph" search={{ entity: entityId }}>
              {words.show}
            </Link>
          </>
        )}
      </div>
      {entity !== undefined && entity.aliases.length > 0 && (
        <p className="quiet">
          {words.also} {entity.aliases.join(', ')}
        </p>
      )}
      <div className="columns">
        <Panel
          title={words.facts}
          query={query}
          call={{
            name: 'graph.entities.get',
            method: 'GET',
            path: `/memory/graph/entities/${entityId}`,
            ids: [entityId],
            query: memory,
          }}
          empty={({ facts }) => (facts.length === 0 ? <p>{words.noFacts}</p> : null)}
        >
          {({ facts }) => (
            <Table caption={words.facts} columns={FACT_COLUMNS} rows={facts} idOf={({ fact_id }) => fact_id} />
          )}
        </Panel>
        <Neighbours entityId={entityId} />
      </div>
    </div>
  );
}

function Neighbours({ entityId }: { entityId: string }) {
  const memory = useMemory();
  const { link } = route.useSearch();
  const params = { ...memory, max_hops: 1, limit: NEIGHBOURS_MOST };
  const query = useQuery({
    queryKey: ['explore', entityId, params],
    queryFn: () => cairn.graph.explore(entityId, params),
  });
  return (
    <div className="stack">
      <Panel
        title={words.neighbours}
        query={query}
        call={{
          name: 'graph.explore',
          method: 'GET',
          path: `/memory/graph/explore/${entityId}`,
          ids: [entityId],
          query: params,
        }}
        empty={({ edges }) => (edges.length === 0 ? <p>{words.noNeighbours}</p> : null)}
      >
        {({ nodes, edges }) => (
          <ul className="plain tight">
            {nodes
              .filter(({ entity_id }) => entity_id !== entityId)
              .map(({ entity_id, name }) => (
                <li key={entity_id}>
                  <Link to="/entities/$entityId" params={{ entityId: entity_id }}>
                    {name}
                  </Link>{' '}
                  <span className="quiet small">{relationsOf(edges, entityId, entity_id)}</span>{' '}
                  <Link
                    to="/entities/$entityId"
                    params={{ entityId }}
                    search={{ link: entity_id }}
                    className="small"
                    aria-label={`${words.because}: ${name}`}
                  >
                    ?
                  </Link>
                </li>
              ))}
          </ul>
        )}
      </Panel>
      {link !== undefined && <LinkPassages key={link} source={entityId} target={link} />}
    </div>
  );
}

function relationsOf(edges: readonly GraphEdge[], one: string, other: string): string {
  const between = edges.filter(
    ({ source, target }) => (source === one && target === other) || (source === other && target === one),
  );
  return [...new Set(between.map(({ type }) => wordsOf(type)))].join(', ');
}

const FACT_COLUMNS: readonly Column<Fact>[] = [
  { name: words.relation, cell: ({ relation, negated }) => `${negated ? 'not ' : ''}${wordsOf(relation)}` },
  {
    name: words.value,
    cell: ({ value, target_entity_id, ended }) => (
      <>
        {target_entity_id === null ? (
          value
        ) : (
          <Link to="/entities/$entityId" params={{ entityId: target_entity_id }}>
            {value}
          </Link>
        )}{' '}
        {ended && <Chip state={words.ended} tone="quiet" />}
      </>
    ),
  },
  {
    name: words.says,
    cell: ({ quote, doc_id, chunk_id, title }) => (
      <>
        <blockquote>{quote}</blockquote>
        <Link to="/documents/$docId" params={{ docId: doc_id }} search={{ chunk: chunk_id, quote }} className="small">
          {title}
        </Link>
      </>
    ),
  },
  { name: words.since, cell: ({ valid_from }) => (valid_from === null ? '' : <Time at={valid_from} />) },
];
