import { type AnswerOf, type decideEntityReview, type listEntityReviews, newId } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { nextCursorOf, pageOf, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { MemoryScope } from '../../document-store.ts';
import { insertDecision } from '../decision-store.ts';
import { describeEntities } from '../describe-entities.ts';
import type { GraphParts } from '../explore-graph.ts';
import { lockKnownGraph } from '../graph-memory.ts';
import { keyText } from '../name-likeness.ts';
import { namesByNumber } from '../name-store.ts';
import { writeOnce } from '../../write-once.ts';
import { visibilityOf } from '../visibility.ts';
import { applyDecision } from './apply-decision.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import { presentDecision } from './present-decision.ts';

interface ReviewRow {
  review_id: string;
  name_a: number;
  name_b: number;
  similarity: number;
  decision: 'same' | 'different' | null;
  created_at: Date;
  entity_a: string;
  entity_b: string;
}

/** Pairs of names that are spelled alike. What a merge or another link made one meanwhile is open no more. */
export async function listReviews(
  parts: GraphParts,
  call: Call<typeof listEntityReviews>,
): Promise<JsonAnswer<typeof listEntityReviews>> {
  const { memory_id, status, ...paging } = call.query;
  const memory = await parts.lookup.find(call, { memory_id });
  const page = pageOf(paging);
  return parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const rows = await readReviews(tx, memory, { status: status ?? null, after: page.after, fetch: page.fetch });
    const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.review_id);
    const ids = [...new Set(shown.flatMap((row) => [row.entity_a, row.entity_b]))];
    const entities = await describeEntities(tx, memory, ids, visibilityOf(memory, closedVaults));
    const reviews = shown.flatMap((row): AnswerOf<typeof listEntityReviews>['reviews'] => {
      const pair = [...new Set([row.entity_a, row.entity_b])].flatMap((id) => entities.get(id) ?? []);
      if (pair.length === 0 || (row.entity_a !== row.entity_b && pair.length < 2)) return [];
      return [
        {
          review_id: row.review_id,
          status: row.decision === null ? 'open' : 'decided',
          similarity: row.similarity,
          entities: pair.map(({ entity_id, name, type, documents }) => ({
            entity_id,
            name,
            type,
            document_count: documents,
          })),
          decision: row.decision,
          created_at: row.created_at.toISOString(),
        },
      ];
    });
    return { body: { reviews, ...(next_cursor === undefined ? {} : { next_cursor }) } };
  });
}

async function readReviews(
  tx: Tx,
  scope: MemoryScope,
  wanted: { status: string | null; after: string; fetch: number | null; reviewId?: string },
): Promise<ReviewRow[]> {
  return tx.query<ReviewRow>(
    `SELECT review_id, name_a, name_b, similarity, decision, review.created_at, a.entity_id AS entity_a, b.entity_id AS entity_b
       FROM graph_reviews AS review
       JOIN graph_names AS a ON a.tenant_id = $1 AND a.memory_id = $2 AND a.name_no = name_a
       JOIN graph_names AS b ON b.tenant_id = $1 AND b.memory_id = $2 AND b.name_no = name_b
      WHERE review.tenant_id = $1 AND review.memory_id = $2 AND (decision IS NOT NULL OR a.entity_id <> b.entity_id)
        AND ($3::text IS NULL OR $3 = CASE WHEN decision IS NULL THEN 'open' ELSE 'decided' END)
        AND review_id > $4 AND ($6::text IS NULL OR review_id = $6) ORDER BY review_id LIMIT $5`,
    [scope.tenantId, scope.memoryId, wanted.status, wanted.after, wanted.fetch, wanted.reviewId ?? null],
  );
}

/** Settles a pair: `same` merges, `different` keeps them apart for good. Undone by deleting the decision. */
export async function decideReview(
  parts: GraphParts,
  call: Call<typeof decideEntityReview>,
): Promise<JsonAnswer<typeof decideEntityReview>> {
  const target = await parts.lookup.find(call, call.query);
  assertWholeMemory(target);
  const reviewId = call.params.review_id;
  const request = { ...call.query, ...call.body, review_id: reviewId };
  const once = {
    caller: call.identity,
    operation: 'decideEntityReview',
    key: call.idempotencyKey,
    request,
    status: 200,
  };
  return writeOnce(parts.engines, target, once, async ({ tx }) => {
    const memory = await lockKnownGraph(tx, target);
    const [row] = memory === null ? [] : await readReviews(tx, target, { status: null, after: '', fetch: 1, reviewId });
    if (memory === null || row === undefined) throw notFound('The review');
    if (row.decision !== null)
      throw new CairnError('conflict', 'The review is decided already; undo its decision first.');
    await tx.execute(
      'UPDATE graph_reviews SET decision = $4 WHERE tenant_id = $1 AND memory_id = $2 AND review_id = $3',
      [...[memory.tenantId, memory.memoryId, reviewId], call.body.decision],
    );
    const names = await namesByNumber(tx, memory, [row.name_a, row.name_b]);
    const decision = await insertDecision(tx, memory, {
      ...{
        decision_id: newId('decision'),
        kind: call.body.decision === 'same' ? ('merge' as const) : ('different' as const),
      },
      ...{ names: names.map(keyText), doc_ids: [], decided_by: call.identity.keyId },
    });
    await applyDecision(tx, memory, names, decision);
    return presentDecision(decision);
  });
}
