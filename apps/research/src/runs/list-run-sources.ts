import type * as operations from '@cairn/contracts';
import { SOURCES_DEFAULT_LIMIT } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findRun } from '../ledger/run-store.ts';
import { presentSource } from '../sources/present-source.ts';
import { listSources } from '../sources/source-store.ts';

/** What a run has read so far, in the order in which it read it. */
export async function listRunSources(
  { database }: { database: Database },
  { identity, params, query }: RequestContext<typeof operations.listRunSources>,
): Promise<JsonResponse<typeof operations.listRunSources>> {
  const { cursor, limit = SOURCES_DEFAULT_LIMIT } = query;
  const page = pageOf({ cursor, limit });
  const rows = await database.withTenant(
    identity.tenantId,
    async (tx) => {
      if ((await findRun(tx, params.thread_id)) === null) throw notFound('The run');
      return listSources(tx, params.thread_id, { after: cursor ?? '', limit: limit + 1 });
    },
    { mode: 'snapshot' },
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, ({ source_id }) => source_id);
  return { body: { sources: shown.map(presentSource), next_cursor } };
}
