import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { GraphEdge, GraphNode, inMemory, reading } from './graph.ts';

const NODES_DEFAULT = 200;
const NODES_MAX = 1_000;

const OverviewNode = GraphNode.omit({ attributes: true, hop: true })
  .extend({
    x: z.number().nullable().meta({
      description:
        'Where it stands in the picture, about -1 to 1, the same at every visit. Null until it was computed, a moment after the last change, and for keys of one space.',
    }),
    y: z.number().nullable(),
  })
  .meta({ id: 'OverviewNode' });

const Community = z
  .object({
    community_id: z.number().int(),
    name: z.string().meta({ description: 'The name of its most central entity.' }),
    entity_id: z.string().meta({ description: 'That entity.' }),
    size: z.number().int().meta({ description: 'Entities of it, shown or not.' }),
  })
  .meta({ id: 'GraphCommunity' });

export const getGraphOverview = defineOperation({
  ...reading,
  id: 'getGraphOverview',
  sdk: 'graph.overview',
  weight: 5,
  path: '/api/v1/memory/graph/overview',
  summary: 'Read a picture of the whole knowledge graph',
  description:
    'Returns the most central entities with their places in a picture, the weightiest links among them, the communities that they belong to, and how many entities and communities there are in all. A key of one space gets the entities that its documents mention most, without places.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject({
    ...inMemory,
    limit: z.coerce.number().int().min(1).max(NODES_MAX).default(NODES_DEFAULT).meta({
      description: 'Entities at most, the most central first.',
    }),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        nodes: z.array(OverviewNode),
        edges: z
          .array(GraphEdge)
          .meta({ description: 'At most three for each entity of `limit`, the weightiest first.' }),
        communities: z.array(Community).meta({ description: 'Those of the nodes, the largest first.' }),
        totals: z.object({ entities: z.number().int(), communities: z.number().int() }),
        truncated: z.boolean().meta({ description: 'There are entities that are not among the nodes.' }),
        edges_truncated: z.boolean().meta({ description: 'There are links among the nodes that are left out.' }),
      })
      .meta({ id: 'GraphOverview' }),
  },
});
