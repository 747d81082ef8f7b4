import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { LinkPassage } from './entity-links.ts';
import { EntityName, GraphEdge, HOPS_MAX, hops, inMemory, reading, relationshipTypes } from './graph.ts';
import { pathId } from './shared.ts';

const PASSAGES_DEFAULT = 3;
const PASSAGES_MAX = 20;

/** Entities that are looked at on the way, from both ends together. */
export const PATH_ENTITIES_MAX = 10_000;

const PathHop = z
  .object({
    links: z.array(GraphEdge).meta({ description: 'Between the two entities, the weightiest first.' }),
    passages: z
      .array(LinkPassage)
      .meta({ description: 'The first that state a link, as `getEntityLinks` pages them.' }),
  })
  .meta({ id: 'PathHop' });

export const getEntityPath = defineOperation({
  ...reading,
  id: 'getEntityPath',
  sdk: 'graph.path',
  weight: 5,
  path: '/api/v1/memory/graph/paths/{source}/{target}',
  summary: 'Find how two entities are connected, step by step',
  description: `Returns a shortest path of links between two entities, followed in both directions, and for each step the links and the sentences that state them. Of several shortest paths it is one whose weakest step has the most weight. No path within \`max_hops\`, ${HOPS_MAX} unless it says less, is an empty answer. At most ${PATH_ENTITIES_MAX} entities are looked at; \`truncated\` says that there were more, so that a path, or a shorter one, may have been missed.`,
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ source: pathId, target: pathId }),
  query: z.strictObject({
    ...inMemory,
    max_hops: hops(HOPS_MAX),
    relationship_types: relationshipTypes,
    passages: z.coerce.number().int().min(0).max(PASSAGES_MAX).default(PASSAGES_DEFAULT).meta({
      description: 'Passages for each step, at most.',
    }),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        entities: z
          .array(EntityName)
          .meta({ description: 'From the source to the target, both included; empty when there is no path.' }),
        hops: z.array(PathHop).meta({ description: 'One for each two neighbouring entities, in the same order.' }),
        truncated: z.boolean().meta({ description: 'Not everything could be looked at.' }),
      })
      .meta({ id: 'EntityPath' }),
  },
});
