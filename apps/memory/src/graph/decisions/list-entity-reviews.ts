import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { describeEntities } from '../query/describe-entities.ts';
import { visibilityOf } from '../../memories/visibility.ts';
import type { GraphDeps } from '../query/graph-deps.ts';
import { readReviews } from '../store/review-store.ts';

/** Pairs of names that are spelled alike. What a merge or another link made one meanwhile is open no more. */
export async function listEntityReviews(
  deps: GraphDeps,
  context: RequestContext<typeof operations.listEntityReviews>,
): Promise<JsonResponse<typeof operations.listEntityReviews>> {
  const { memory_id, status, ...paging } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  const page = pageOf(paging);
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const rows = await readReviews(tx, memory, { status: status ?? null, after: page.after, fetch: page.fetch });
    const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.review_id);
    const ids = [...new Set(shown.flatMap((row) => [row.entity_a, row.entity_b]))];
    const entities = await describeEntities(tx, memory, ids, visibilityOf(memory, closedVaults));
    const reviews = shown.flatMap((row): ResponseOf<typeof operations.listEntityReviews>['reviews'] => {
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
