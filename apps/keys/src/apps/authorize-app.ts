import { APP_CODE_PREFIX, APP_SCOPES, newId, type Scope } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { generateSecret } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { extendAppClient } from '../credentials/app-client-store.ts';
import { countOpenApps, insertApp, insertCode } from '../credentials/app-store.ts';
import { assertMayDelegate, lockCreator } from '../credentials/calling-key.ts';
import type { KeyRow } from '../credentials/key-store.ts';
import { findClientFor } from './find-client.ts';
import { type AuthorizationDeps, redirectAddress } from './preview-authorization.ts';
import { requestedSpace } from './requested-space.ts';

const CODE_LIFETIME_MS = 60_000;
/** After that the person signs in again, however much the app is used. */
const APP_LIFETIME_MS = 180 * 24 * 3_600_000;
/** Of one key or member. */
const APPS_OPEN_MAX = 100;
/** What the MCP endpoint itself needs. */
const NEEDED_SCOPE: Scope = 'spaces:read';

/** Grants a client some of the caller's own rights in one space, against a code that it redeems once. */
export async function authorizeApp(
  deps: AuthorizationDeps & { database: Database },
  context: RequestContext<typeof operations.authorizeApp>,
): Promise<JsonResponse<typeof operations.authorizeApp>> {
  const { identity, body } = context;
  assertMayDelegate(identity);
  const client = await findClientFor(deps, body);
  const space = await requestedSpace(deps, context, body.resource);
  const now = deps.now();
  const endsAt = new Date(now.getTime() + APP_LIFETIME_MS);
  const codeEnds = new Date(now.getTime() + CODE_LIFETIME_MS);
  const code = generateSecret(APP_CODE_PREFIX);
  const appId = newId('connectedApp');
  await deps.database.withTenant(identity.tenantId, async (tx) => {
    const { caller } = await lockCreator(tx, identity.keyId, now);
    assertMayGrant(caller, body.scopes);
    await assertRoom(tx, caller, now);
    await insertApp(tx, {
      tenant_id: caller.tenant_id,
      app_id: appId,
      key_id: caller.key_id,
      client_id: client.clientId,
      client_name: client.name,
      scopes: [...new Set(body.scopes)],
      memory_id: space.memoryId,
      space_id: space.spaceId,
      resource: body.resource,
      created_at: now,
      // Nothing but the code until it is redeemed.
      expires_at: codeEnds,
      ends_at: endsAt,
    });
    await insertCode(tx, {
      tenant_id: caller.tenant_id,
      sha256: code.sha256,
      app_id: appId,
      redirect_uri: body.redirect_uri,
      code_challenge: body.code_challenge,
      expires_at: codeEnds,
    });
  });
  await deps.workerDatabase.transaction((tx) => extendAppClient(tx, client.clientId, endsAt));
  return { body: { app_id: appId, redirect_to: redirectAddress(deps.baseUrl, body, { code: code.plaintext }) } };
}

function assertMayGrant(caller: KeyRow, scopes: readonly Scope[]): void {
  const wrong = scopes.findIndex((scope) => !APP_SCOPES.includes(scope));
  if (wrong !== -1)
    throw validationFailed([{ path: `scopes.${wrong}`, message: `a connected app cannot hold ${scopes[wrong]}` }]);
  if (!scopes.includes(NEEDED_SCOPE))
    throw validationFailed([{ path: 'scopes', message: `must hold ${NEEDED_SCOPE}` }]);
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0)
    throw new CairnError(
      'permission_denied',
      `The caller lacks ${missing.map((scope) => `scope ${scope}`).join(', ')}.`,
    );
}

async function assertRoom(tx: Tx, caller: KeyRow, now: Date): Promise<void> {
  if ((await countOpenApps(tx, caller.key_id, now)) >= APPS_OPEN_MAX)
    throw new CairnError('conflict', `${APPS_OPEN_MAX} apps are connected; disconnect some of them first.`);
}
