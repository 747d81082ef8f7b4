import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { clampedInteger, id, nextCursor, pageBy, pageById, pathId, timestamp } from './shared.ts';

export const HOPS_MIN = 1;
export const HOPS_MAX = 6;
export const HOPS_DEFAULT = 2;
/** Nodes of one explore answer: by default, and at most. */
export const EXPLORE_NODES_DEFAULT = 500;
export const EXPLORE_NODES_MAX = 5_000;
const RELATIONSHIP_TYPES_MAX = 50;

/** Orders of a list of entities. */
export const ENTITY_SORTS = ['relevance', 'name', 'mentions', 'newest'] as const;

export const CONTRADICTION_STATUSES = ['open', 'resolved'] as const;

const memoryId = id('memory')
  .optional()
  .meta({ description: "Default: the key's memory, else the default workspace's primary memory." });
export const inMemory = { memory_id: memoryId };

/** `max_hops` as the interface has it: what is no integer is refused, what is out of range is clamped. The handler takes the fallback. */
export const hops = (fallback: number) =>
  clampedInteger(HOPS_MIN, HOPS_MAX)
    .optional()
    .meta({
      description: `Clamped into ${HOPS_MIN} to ${HOPS_MAX}.`,
      override: { type: 'integer', minimum: HOPS_MIN, maximum: HOPS_MAX, default: fallback },
    });

const relationshipType = z.string().min(1).max(100);
/** A repeated parameter comes as text when it is there once. */
export const relationshipTypes = z
  .union([z.array(relationshipType).min(1).max(RELATIONSHIP_TYPES_MAX), relationshipType])
  .transform((types) => [...new Set(typeof types === 'string' ? [types] : types)])
  .optional()
  .meta({
    description: 'Only relationships of these types are followed; the parameter is repeated.',
    override: { type: 'array', items: { type: 'string' }, maxItems: RELATIONSHIP_TYPES_MAX },
  });

export const GraphNode = z
  .object({
    entity_id: z.string(),
    name: z.string(),
    type: z.string(),
    attributes: z.record(z.string(), z.unknown()).meta({ description: 'What the documents say of it, by relation.' }),
    community_id: z.number().int().meta({ description: '0 until communities were computed, or for an entity alone.' }),
    centrality: z.number().meta({ description: 'PageRank, 1 for the most central entity of the memory.' }),
    document_count: z.number().int(),
    hop: z.number().int().optional().meta({ description: 'Steps from the entity that was asked for.' }),
  })
  .meta({ id: 'GraphNode' });

export const EntityName = z.object({ entity_id: z.string(), name: z.string(), type: z.string() });

export const GraphEdge = z
  .object({
    source: z.string(),
    target: z.string(),
    type: z.string(),
    weight: z.number().meta({ description: 'How often the relationship is stated, weighted by confidence.' }),
  })
  .meta({ id: 'GraphEdge' });

const Fact = z
  .object({
    fact_id: z.string(),
    entity_id: z.string(),
    relation: z.string(),
    value: z.string(),
    target_entity_id: z.string().nullable().meta({ description: 'The entity that the value names, if it names one.' }),
    negated: z.boolean(),
    confidence: z.number(),
    doc_id: z.string(),
    title: z.string().meta({ description: 'The title of the document.' }),
    chunk_id: z.string(),
    quote: z.string().meta({ description: 'The words of the document that say so.' }),
    location: z.object({ start: z.number().int(), end: z.number().int() }).meta({
      description: 'Where the quote stands in the text of the chunk, in UTF-16 units.',
    }),
    valid_from: timestamp.nullable(),
    valid_to: timestamp.nullable(),
    ended: z.boolean().meta({ description: 'The words say that it holds no longer, as “former” does.' }),
    superseded_by: z.string().nullable().meta({ description: 'The fact that holds instead; both are kept.' }),
  })
  .meta({ id: 'Fact' });

const Contradiction = z
  .object({
    contradiction_id: z.string(),
    memory_id: z.string(),
    entity: z.object({ entity_id: z.string(), name: z.string(), type: z.string() }),
    relation: z.string(),
    status: z.enum(CONTRADICTION_STATUSES),
    score: z.number().meta({ description: '0 to 1: how sure it is that the statements exclude each other.' }),
    facts: z.array(Fact),
    winner: z.string().nullable().meta({ description: 'A fact id, or `both`, once resolved.' }),
    note: z.string().nullable(),
    resolved_by: z.string().nullable(),
    resolved_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Contradiction' });

const EntitySummary = GraphNode.omit({ hop: true })
  .extend({ aliases: z.array(z.string()) })
  .meta({ id: 'Entity' });

const HealthPart = z.object({
  score: z.number().meta({ description: '0 to 100.' }),
  weight: z.number(),
  value: z.number().meta({ description: 'The measured share or count that the score is made of.' }),
  affected: z.number().int(),
  advice: z.string().meta({ description: 'What to do about it; empty when nothing is to be done.' }),
});

export const HEALTH_PARTS = [
  'freshness',
  'coverage',
  'contradictions',
  'orphans',
  'failed_ingests',
  'review_backlog',
] as const;

const graphOperation = { service: 'memory', app: 'memory', tag: 'Graph', reach: 'memory' } as const;
export const reading = { ...graphOperation, method: 'GET', action: 'read', scope: 'graph:read' } as const;
export const writing = { ...graphOperation, action: 'write', scope: 'graph:write' } as const;

export const exploreGraph = defineOperation({
  ...reading,
  id: 'exploreGraph',
  sdk: 'graph.explore',
  weight: 5,
  path: '/api/v1/memory/graph/explore/{entity_id}',
  summary: 'Walk the knowledge graph from an entity, up to six hops',
  description:
    'Returns the entities within `max_hops` links of an entity, in both directions, ordered by distance and centrality, with the links among them. `truncated` says whether `limit` cut off the end of that order.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ entity_id: pathId }),
  query: z.strictObject({
    ...inMemory,
    max_hops: hops(HOPS_DEFAULT),
    relationship_types: relationshipTypes,
    limit: z.coerce.number().int().min(1).max(EXPLORE_NODES_MAX).default(EXPLORE_NODES_DEFAULT),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ nodes: z.array(GraphNode), edges: z.array(GraphEdge), truncated: z.boolean() }),
  },
});

const ENTITY_CURSOR = /^W[A-Za-z0-9_-]{7,699}$/;

export const listEntities = defineOperation({
  ...reading,
  id: 'listEntities',
  sdk: 'graph.entities.list',
  path: '/api/v1/memory/graph/entities',
  summary: 'List entities, or find them by name',
  description:
    'Lists entities, all or those whose name or alias matches `query`, optionally of one type. With `type`, a page may hold fewer than `limit` although more follow: `next_cursor` says so.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject({
    ...inMemory,
    query: z.string().trim().min(1).max(200).optional(),
    type: z.string().min(1).max(50).optional(),
    sort: z.enum(ENTITY_SORTS).default('relevance').meta({
      description:
        '`relevance`: exact names first, then those that begin so, then the most central. `mentions` and `newest`: the most and the newest first.',
    }),
    ...pageBy(ENTITY_CURSOR),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ entities: z.array(EntitySummary), next_cursor: nextCursor }).meta({ id: 'EntityPage' }),
  },
});

export const getEntity = defineOperation({
  ...reading,
  id: 'getEntity',
  sdk: 'graph.entities.get',
  path: '/api/v1/memory/graph/entities/{entity_id}',
  summary: 'Read an entity with the facts stated about it',
  description:
    'Returns an entity with its aliases and with the facts stated about it, each with the quote and the document that states it.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ entity_id: pathId }),
  query: z.strictObject(inMemory),
  response: { kind: 'json', status: 200, schema: EntitySummary.extend({ facts: z.array(Fact) }) },
});

export const listContradictions = defineOperation({
  ...reading,
  id: 'listContradictions',
  sdk: 'graph.contradictions.list',
  path: '/api/v1/memory/contradictions',
  summary: 'List contradictions between documents',
  description:
    'Lists statements of different documents about one relation of one entity that cannot all be true, each with its quote and document.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject({
    ...inMemory,
    status: z.enum(CONTRADICTION_STATUSES).optional(),
    entity_id: pathId.optional(),
    ...pageById('contradiction'),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ contradictions: z.array(Contradiction), next_cursor: nextCursor }),
  },
});

export const getContradiction = defineOperation({
  ...reading,
  id: 'getContradiction',
  sdk: 'graph.contradictions.get',
  path: '/api/v1/memory/contradictions/{contradiction_id}',
  summary: 'Read a contradiction with its statements',
  description:
    'Returns one contradiction with all its facts, quotes and documents, and with its resolution, if there is one.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ contradiction_id: pathId }),
  query: z.strictObject(inMemory),
  response: { kind: 'json', status: 200, schema: Contradiction },
});

export const resolveContradiction = defineOperation({
  ...writing,
  id: 'resolveContradiction',
  sdk: 'graph.contradictions.resolve',
  method: 'POST',
  path: '/api/v1/memory/contradictions/{contradiction_id}/resolve',
  summary: 'Resolve a contradiction',
  description:
    'Records which fact holds, or that both do. The other facts are marked as superseded. Repeating a resolution returns the response of the first; a different winner is refused until it is reopened.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ contradiction_id: pathId }),
  query: z.strictObject(inMemory),
  body: z.strictObject({
    winner: z.string().min(1).max(128).meta({ description: 'The fact that holds, or `both`.' }),
    note: z.string().max(2_000).optional(),
  }),
  idempotent: true,
  response: { kind: 'json', status: 200, schema: Contradiction },
});

export const reopenContradiction = defineOperation({
  ...writing,
  id: 'reopenContradiction',
  sdk: 'graph.contradictions.reopen',
  method: 'POST',
  path: '/api/v1/memory/contradictions/{contradiction_id}/reopen',
  summary: 'Reopen a resolved contradiction',
  description: 'Reverts a resolution: every fact stands again.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ contradiction_id: pathId }),
  query: z.strictObject(inMemory),
  body: z.strictObject({ note: z.string().max(2_000).optional() }),
  idempotent: true,
  response: { kind: 'json', status: 200, schema: Contradiction },
});

export const getMemoryHealth = defineOperation({
  ...reading,
  id: 'getMemoryHealth',
  sdk: 'memories.health',
  path: '/api/v1/memory/health',
  summary: 'Read the health of a memory',
  description:
    'Computes a score from 0 to 100 from freshness, coverage, contradictions, orphaned entities, failed documents and waiting reviews. Each part has its weight, the number of cases and a recommendation.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject(inMemory),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      memory_id: z.string(),
      score: z.number(),
      parts: z.object(
        Object.fromEntries(HEALTH_PARTS.map((part) => [part, HealthPart])) as Record<
          (typeof HEALTH_PARTS)[number],
          typeof HealthPart
        >,
      ),
      assessed_at: timestamp,
    }),
  },
});
