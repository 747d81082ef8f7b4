import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf, sqlBuilder } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { AuditRow } from './audit-store.ts';

type ListResponse = JsonResponse<typeof operations.listAuditEvents>;

const DEFAULT_LIMIT = 50;

/** What the caller's tenant changed, newest first. */
export async function listAuditEvents(
  deps: { database: Database },
  { identity, query }: RequestContext<typeof operations.listAuditEvents>,
): Promise<ListResponse> {
  const { cursor, limit = DEFAULT_LIMIT } = query;
  const select = sqlBuilder('audit_events')
    .select('audit_id', 'occurred_at', 'operation', 'actor_id', 'actor_kind', 'credential_id', 'request_id')
    .select('client_address', 'target_names', 'target_ids', 'status')
    .where('tenant_id', identity.tenantId)
    .orderBy('audit_id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) void select.where('audit_id', '<', cursor);
  if (query.actor_id !== undefined) void select.where('actor_id', query.actor_id);
  if (query.operation !== undefined) void select.where('operation', query.operation);
  if (query.target_id !== undefined) void select.whereRaw('target_ids @> ARRAY[?]::text[]', [query.target_id]);
  if (query.from !== undefined) void select.where('occurred_at', '>=', query.from);
  if (query.to !== undefined) void select.where('occurred_at', '<', query.to);
  const rows = await deps.database.withTenant(identity.tenantId, (tx) => tx.run<AuditRow>(select), {
    mode: 'snapshot',
  });
  const { shown, next_cursor } = nextCursorOf(rows, pageOf({ cursor, limit }), (row) => row.audit_id);
  return { body: { audit_events: shown.map(present), next_cursor } };
}

function present(row: AuditRow): ListResponse['body']['audit_events'][number] {
  return {
    audit_id: row.audit_id,
    occurred_at: row.occurred_at.toISOString(),
    operation: row.operation,
    actor: {
      id: row.actor_id,
      kind: row.actor_kind as ListResponse['body']['audit_events'][number]['actor']['kind'],
      credential_id: row.credential_id,
    },
    targets: row.target_ids.map((id, at) => ({ name: row.target_names[at]!, id })),
    status: row.status,
    client_address: row.client_address,
    request_id: row.request_id,
  };
}
