import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { presentSource } from '../sources/present-source.ts';
import { findSource } from '../sources/source-store.ts';

/** A source of a run with a part of its text, which is what quotes are places in. */
export async function getSource(
  { database }: { database: Database },
  { identity, params, query }: RequestContext<typeof operations.getSource>,
): Promise<JsonResponse<typeof operations.getSource>> {
  const { tenantId } = identity;
  const source = await database.withTenant(tenantId, (tx) => findSource(tx, tenantId, params.source_id), {
    mode: 'snapshot',
  });
  if (source === null) throw notFound('The source');
  const { start, length } = query;
  const { body } = source;
  const end = Math.min(body.length, start + length);
  // A text whose time is over was emptied.
  const isKept = body !== '';
  return {
    body: {
      ...presentSource(source),
      text: isKept ? body.slice(start, end) : null,
      total_chars: body.length,
      start,
      next_start: isKept && end < body.length ? end : null,
    },
  };
}
