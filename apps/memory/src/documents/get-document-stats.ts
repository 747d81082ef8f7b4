import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { inVaults, type Visibility, visibilityOf } from '../memories/visibility.ts';
import type { DocumentStatus } from './document-store.ts';
import type { ReadDocumentsDeps } from './present-document.ts';

/** Rows of the lists by space and by format. */
const LISTED_MAX = 100;

interface Counted {
  status: DocumentStatus;
  error_code: string | null;
  media_type: string;
  space_id: string | null;
  documents: number;
}

interface Times {
  oldest_waiting_at: Date | null;
  completed_last_minute: number;
  completed_last_hour: number;
}

export async function getDocumentStats(
  deps: ReadDocumentsDeps,
  context: RequestContext<typeof operations.getDocumentStats>,
): Promise<JsonResponse<typeof operations.getDocumentStats>> {
  const memory = await deps.memories.resolve(context, context.query);
  const { counted, times } = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    return { counted: await countDocuments(tx, memory, visible), times: await timesOf(tx, memory, visible) };
  });
  const failed = counted.filter(({ status }) => status === 'failed');
  const body: ResponseOf<typeof operations.getDocumentStats> = {
    memory_id: memory.memoryId,
    total: counted.reduce((sum, { documents }) => sum + documents, 0),
    by_status: summed(counted, 'status').map(([status, documents]) => ({ status, documents })),
    by_error: summed(failed, 'error_code').map(([code, documents]) => ({ code: code ?? '', documents })),
    by_space: summed(counted, 'space_id')
      .slice(0, LISTED_MAX)
      .map(([space_id, documents]) => ({ space_id, documents })),
    by_media_type: summed(counted, 'media_type')
      .slice(0, LISTED_MAX)
      .map(([media_type, documents]) => ({ media_type, documents })),
    oldest_waiting_at: times.oldest_waiting_at?.toISOString() ?? null,
    completed_last_minute: times.completed_last_minute,
    completed_last_hour: times.completed_last_hour,
  };
  return { body };
}

async function countDocuments(tx: Tx, scope: MemoryScope, visible: Visibility): Promise<Counted[]> {
  return tx.query<Counted>({
    name: 'documents_counted',
    // By the index of that condition.
    text: `SELECT status, error_code, media_type, space_id, count(*) AS documents FROM documents
            WHERE memory_id = $2 AND tenant_id = $1 AND content_bytes >= 0 AND ${inVaults('vault_id', 3, 4)}
            GROUP BY vault_id, status, error_code, media_type, space_id`,
    values: [scope.tenantId, scope.memoryId, visible.vaults, visible.hidden],
  });
}

async function timesOf(tx: Tx, scope: MemoryScope, visible: Visibility): Promise<Times> {
  const rows = await tx.query<Times>({
    name: 'documents_times',
    text: `SELECT (SELECT min(queued_at) FROM ingest_queue AS queued
                    WHERE tenant_id = $1 AND memory_id = $2
                      AND EXISTS (SELECT 1 FROM documents WHERE tenant_id = $1 AND memory_id = $2
                                     AND doc_id = queued.doc_id AND ${inVaults('vault_id', 3, 4)})) AS oldest_waiting_at,
                  count(*) FILTER (WHERE completed_at > now() - interval '1 minute') AS completed_last_minute,
                  count(*) AS completed_last_hour
             FROM documents
            WHERE memory_id = $2 AND tenant_id = $1 AND completed_at > now() - interval '1 hour' AND ${inVaults('vault_id', 3, 4)}`,
    values: [scope.tenantId, scope.memoryId, visible.vaults, visible.hidden],
  });
  return rows[0]!;
}

/** The documents by one of their properties, the most frequent first and equals in alphabetical order. */
function summed<Key extends keyof Counted>(counted: readonly Counted[], key: Key): [Counted[Key], number][] {
  const sums = new Map<Counted[Key], number>();
  for (const each of counted) sums.set(each[key], (sums.get(each[key]) ?? 0) + each.documents);
  return [...sums].sort(([a, many], [b, more]) => more - many || (String(a ?? '') < String(b ?? '') ? -1 : 1));
}
