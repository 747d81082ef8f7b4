import { z } from 'zod';
import { defineOperation, LARGER_BODY_MAX_BYTES } from '../operation.ts';
import { inMemory, reading, writing } from './graph.ts';
import { nextCursor, pageById, pathId, timestamp } from './shared.ts';

const NAMES_MAX = 50;
const DOCUMENTS_MAX = 1_000;
export const REVIEW_STATUSES = ['open', 'decided'] as const;
export const IDENTITY_DECISION_KINDS = ['merge', 'split', 'different'] as const;

const Review = z
  .object({
    review_id: z.string(),
    status: z.enum(REVIEW_STATUSES),
    similarity: z.number(),
    entities: z.array(
      z.object({ entity_id: z.string(), name: z.string(), type: z.string(), document_count: z.number().int() }),
    ),
    decision: z.enum(['same', 'different']).nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'EntityReview' });

const Decision = z
  .object({
    decision_id: z.string(),
    kind: z.enum(IDENTITY_DECISION_KINDS),
    names: z.array(z.string()),
    doc_ids: z.array(z.string()),
    decided_by: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'EntityDecision' });

export const listEntityReviews = defineOperation({
  ...reading,
  id: 'listEntityReviews',
  sdk: 'graph.reviews.list',
  path: '/api/v1/memory/graph/reviews',
  summary: 'List pairs of names that may mean the same entity',
  description:
    'Lists pairs of names that are similar enough to be one entity and not similar enough to be merged without asking.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject({ ...inMemory, status: z.enum(REVIEW_STATUSES).optional(), ...pageById('review') }),
  response: { kind: 'json', status: 200, schema: z.object({ reviews: z.array(Review), next_cursor: nextCursor }) },
});

export const decideEntityReview = defineOperation({
  ...writing,
  id: 'decideEntityReview',
  sdk: 'graph.reviews.decide',
  method: 'POST',
  path: '/api/v1/memory/graph/reviews/{review_id}/decide',
  summary: 'Decide whether two names mean the same entity',
  description:
    'Records whether both names mean the same entity. `same` merges the two; later documents follow the decision.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ review_id: pathId }),
  query: z.strictObject(inMemory),
  body: z.strictObject({ decision: z.enum(['same', 'different']) }),
  idempotent: true,
  response: { kind: 'json', status: 200, schema: Decision },
});

export const mergeEntities = defineOperation({
  ...writing,
  id: 'mergeEntities',
  sdk: 'graph.merge',
  method: 'POST',
  path: '/api/v1/memory/graph/merges',
  summary: 'Merge entities',
  description:
    'Makes several entities one, with all their names, links and facts. The merge is a decision that outlives new versions of documents and can be undone.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject(inMemory),
  body: z.strictObject({ entity_ids: z.array(z.string().min(1).max(128)).min(2).max(NAMES_MAX) }),
  idempotent: true,
  response: { kind: 'json', status: 201, schema: Decision.extend({ entity_id: z.string() }) },
});

export const splitEntity = defineOperation({
  ...writing,
  id: 'splitEntity',
  sdk: 'graph.split',
  method: 'POST',
  path: '/api/v1/memory/graph/splits',
  summary: 'Split an entity',
  description:
    'Separates some names of an entity, or what some documents mean by it, into an entity of its own. The split is a decision that can be undone.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject(inMemory),
  bodyMaxBytes: LARGER_BODY_MAX_BYTES,
  body: z
    .strictObject({
      entity_id: z.string().min(1).max(128),
      names: z.array(z.string().min(1).max(300)).min(1).max(NAMES_MAX).optional(),
      doc_ids: z.array(z.string().min(1).max(128)).min(1).max(DOCUMENTS_MAX).optional(),
    })
    .refine((body) => (body.names === undefined) !== (body.doc_ids === undefined), {
      message: 'give either names or doc_ids',
      path: ['names'],
    }),
  idempotent: true,
  response: { kind: 'json', status: 201, schema: Decision.extend({ entity_id: z.string() }) },
});

export const listEntityDecisions = defineOperation({
  ...reading,
  id: 'listEntityDecisions',
  sdk: 'graph.decisions.list',
  path: '/api/v1/memory/graph/decisions',
  summary: 'List merges, splits and rejected merges',
  description:
    'Lists what people decided about names: which entities were merged, split or kept apart, when, and with what effect.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject({ ...inMemory, ...pageById('decision') }),
  response: { kind: 'json', status: 200, schema: z.object({ decisions: z.array(Decision), next_cursor: nextCursor }) },
});

export const undoEntityDecision = defineOperation({
  ...writing,
  id: 'undoEntityDecision',
  sdk: 'graph.decisions.undo',
  method: 'DELETE',
  path: '/api/v1/memory/graph/decisions/{decision_id}',
  summary: 'Undo a merge or split',
  description: 'Reverts one decision; the graph is recomputed as if it had never been made.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ decision_id: pathId }),
  query: z.strictObject(inMemory),
  response: { kind: 'json', status: 200, schema: z.object({ decision_id: z.string(), undone: z.literal(true) }) },
});
