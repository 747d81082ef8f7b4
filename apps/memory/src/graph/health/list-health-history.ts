import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { GraphDeps } from '../query/graph-deps.ts';

type Assessment = JsonResponse<typeof operations.listHealthHistory>['body']['history'][number];

interface HistoryRow extends Omit<Assessment, 'assessed_at'> {
  assessed_at: Date;
}

/** What the health of the memory was, newest first. It is of the whole memory, whose other spaces a space's key may not see. */
export async function listHealthHistory(
  deps: GraphDeps,
  context: RequestContext<typeof operations.listHealthHistory>,
): Promise<JsonResponse<typeof operations.listHealthHistory>> {
  const { memory_id, from, to, cursor, limit } = context.query;
  const page = pageOf({ cursor, limit });
  const memory = await deps.memories.resolve(context, { memory_id });
  if (memory.spaceId !== null)
    throw new CairnError(
      'memory_not_permitted',
      'The history of health is of the whole memory; the key reaches one space.',
    );
  const rows = await deps.engines.read(memory, ({ tx }) =>
    tx.query<HistoryRow>(
      `SELECT date_trunc('milliseconds', assessed_at) AS assessed_at, score, parts, documents, documents_added, documents_deleted
         FROM health_history
        WHERE tenant_id = $1 AND memory_id = $2
          AND ($3::timestamptz IS NULL OR assessed_at >= $3) AND ($4::timestamptz IS NULL OR assessed_at < $4)
          AND ($5::timestamptz IS NULL OR date_trunc('milliseconds', assessed_at) < $5)
        ORDER BY assessed_at DESC LIMIT $6`,
      [memory.tenantId, memory.memoryId, from ?? null, to ?? null, cursor ?? null, page.fetch],
    ),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.assessed_at.toISOString());
  const history = shown.map((row) => ({ ...row, assessed_at: row.assessed_at.toISOString() }));
  return { body: { history, next_cursor } };
}
