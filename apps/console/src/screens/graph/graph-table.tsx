import { getRouteApi, Link } from '@tanstack/react-router';
import { Table } from '../../parts/table.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/graph.ts';
import type { GraphLayout } from './graph-drawing.tsx';

const route = getRouteApi('/graph');

/** Everything that the picture shows, in words. */
export function GraphTable({ graph }: { graph: GraphLayout }) {
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
