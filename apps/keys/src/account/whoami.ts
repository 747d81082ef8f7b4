import type * as operations from '@cairn/contracts';
import { idPattern, type ResponseOf, type TenancyService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { type JsonResponse, type RequestContext, type RpcClient, VERSION } from '@cairn/service-kit';
import {
  credentialOfApp,
  credentialOfKey,
  credentialOfToken,
  type ResolvedCredential,
} from '../resolving/resolve-credential.ts';
import { rateLimitOf } from '../api-keys/present-key.ts';
import { findAppOfKey } from '../credentials/app-store.ts';
import { findKey } from '../credentials/key-store.ts';
import { findMember } from '../credentials/member-store.ts';
import { findTokenById } from '../credentials/oauth-store.ts';

interface WhoamiDeps {
  database: Database;
  tenancy: Pick<RpcClient<typeof TenancyService>, 'describeTenant'>;
}

const CONNECTED_APP = idPattern('connectedApp');

type Caller = RequestContext<typeof operations.whoami>['identity'];
type CallingCredential = ResponseOf<typeof operations.whoami>['credential'];

/** The calling credential as it is stored now, its tenant, and what the installation offers it. */
export async function whoami(
  deps: WhoamiDeps,
  { identity, identityToken, signal }: RequestContext<typeof operations.whoami>,
): Promise<JsonResponse<typeof operations.whoami>> {
  const [{ credential, member }, tenant] = await Promise.all([
    deps.database.withTenant(identity.tenantId, (tx) => readCredential(tx, identity), { mode: 'snapshot' }),
    deps.tenancy.describeTenant({}, { onBehalfOf: identityToken, signal }),
  ]);
  const { name, plan, features } = tenant;
  return {
    body: {
      credential,
      member,
      tenant: { tenant_id: identity.tenantId, name, plan },
      version: VERSION,
      features:
        features === undefined
          ? null
          : {
              language_models: features.languageModels,
              embeddings: features.embeddings,
              reranking: features.reranking,
              web_search: features.webSearch,
              proxy: features.proxy,
            },
    },
  };
}

async function readCredential(
  tx: Tx,
  identity: Caller,
): Promise<Pick<ResponseOf<typeof operations.whoami>, 'credential' | 'member'>> {
  if (identity.kind === 'oauth') {
    const found = await findTokenById(tx, identity.credentialId);
    if (found === null) throw gone();
    const { token, client } = found;
    const credential = presentCredential(credentialOfToken(token, client), { name: client.name, prefix: null });
    return { credential, member: null };
  }
  if (CONNECTED_APP.test(identity.credentialId)) {
    const found = await findAppOfKey(tx, identity.credentialId);
    if (found === null) throw gone();
    const credential = credentialOfApp(found, found.app.expires_at);
    return { credential: presentCredential(credential, { name: found.app.client_name, prefix: null }), member: null };
  }
  if (identity.kind === 'member') {
    const found = await findMember(tx, identity.keyId);
    if (found === null) throw gone();
    const { key, member } = found;
    const { member_id, email, role, issuer } = member;
    return {
      credential: presentCredential(credentialOfKey(key), { name: key.name, prefix: null }),
      member: { member_id, email, name: key.name, role, linked: issuer !== null },
    };
  }
  const key = await findKey(tx, identity.keyId);
  if (key === null) throw gone();
  return { credential: presentCredential(credentialOfKey(key), key), member: null };
}

/** Erased since the gateway admitted the request. */
function gone(): CairnError {
  return new CairnError('credential_revoked', 'The key was revoked.');
}

function presentCredential(
  row: ResolvedCredential,
  { name, prefix }: { name: string; prefix: string | null },
): CallingCredential {
  return {
    kind: row.kind,
    id: row.key_id,
    name,
    prefix,
    environment: row.livemode ? 'live' : 'test',
    scopes: row.scopes,
    app_permissions: row.app_permissions,
    ip_allowlist: row.ip_allowlist,
    memory_id: row.memory_id,
    space_id: row.space_id,
    rate_limit: rateLimitOf(row),
    expires_at: row.expires_at?.toISOString() ?? null,
    revokes_at: row.revokes_at?.toISOString() ?? null,
  };
}
