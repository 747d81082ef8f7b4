import type * as operations from '@cairn/contracts';
import type { ResponseOf } from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { type AppOfKey, listApps } from '../credentials/app-store.ts';

type ConnectedApp = ResponseOf<typeof operations.listConnectedApps>['connected_apps'][number];

/** The apps that the caller has connected, or everybody's of the environment for those who may see OAuth clients. */
export async function listConnectedApps(
  deps: { database: Database },
  { identity, query }: RequestContext<typeof operations.listConnectedApps>,
): Promise<JsonResponse<typeof operations.listConnectedApps>> {
  const page = pageOf(query);
  const keyId = identity.scopes.includes('oauth:read') ? null : identity.keyId;
  const rows = await deps.database.withTenant(identity.tenantId, (tx) =>
    listApps(tx, { keyId, afterAppId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, ({ app }) => app.app_id);
  return { body: { connected_apps: shown.map(presentApp), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

function presentApp({ app, key }: AppOfKey): ConnectedApp {
  return {
    app_id: app.app_id,
    client_id: app.client_id,
    client_name: app.client_name,
    key_id: key.key_id,
    key_name: key.name,
    memory_id: app.memory_id,
    space_id: app.space_id,
    scopes: app.scopes,
    connected_at: app.created_at.toISOString(),
    last_used_at: app.last_used_at?.toISOString() ?? null,
    expires_at: app.expires_at.toISOString(),
    disconnected_at: (app.revoked_at ?? key.revoked_at)?.toISOString() ?? null,
  };
}
