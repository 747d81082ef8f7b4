import type { Database } from '@cairn/postgres';
import { openInputs } from '../src/merging/merge-job.ts';
import type { IndexScope } from '../src/search-index.ts';
import { FIELD_WEIGHTS } from '../src/segment/scoring.ts';

/** Every term in the dictionaries of a memory's segments, whether its chunks are deleted or not. */
export async function readStoredTerms(database: Database, memory: IndexScope): Promise<string[]> {
  const inputs = await database.transaction(async (tx) => {
    const rows = await tx.query<{ segment_id: string }>(
      'SELECT segment_id FROM index_segments WHERE tenant_id = $1 AND memory_id = $2',
      [memory.tenantId, memory.memoryId],
    );
    const ids = rows.map((row) => row.segment_id);
    return openInputs(tx, { database, weights: FIELD_WEIGHTS }, memory, ids, new Map());
  });
  const found: string[] = [];
  for (const { terms } of inputs)
    for (await terms.next(); terms.key !== null; await terms.next()) found.push(terms.key);
  return found;
}
