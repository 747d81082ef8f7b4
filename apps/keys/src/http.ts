import {
  createApiKey,
  createOAuthClient,
  getApiKey,
  getOAuthClient,
  issueOAuthToken,
  listApiKeys,
  listOAuthClients,
  oauthMetadata,
  revokeApiKey,
  revokeOAuthClient,
  revokeOAuthToken,
  rotateApiKey,
  updateApiKey,
} from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { answer, answerAnyone, type BoundOperation } from '@cairn/service-kit';
import { createClient } from './create-client.ts';
import { createKey, type CreateKeyParts } from './create-key.ts';
import { getKey } from './get-key.ts';
import { createTokenEndpoint } from './issue-token.ts';
import { listTenantKeys } from './list-keys.ts';
import type { Narrow } from './narrow/narrow.ts';
import { metadataOf } from './oauth-metadata.ts';
import { getClient, listTenantClients } from './read-clients.ts';
import { revokeClient } from './revoke-client.ts';
import { revokeTenantKey } from './revoke-key.ts';
import { revokeOwnToken } from './revoke-oauth-token.ts';
import { rotateKey } from './rotate-key.ts';
import { updateKey } from './update-key.ts';

export interface OperationsParts extends CreateKeyParts {
  narrow: Narrow;
  /** For what comes before a tenant is known. */
  workerDatabase: Database;
  baseUrl: string;
}

/** The operations this service answers. */
export function operations(parts: OperationsParts): BoundOperation[] {
  const metadata = metadataOf(parts.baseUrl);
  return [
    answer(createApiKey, (call) => createKey(parts, call)),
    answer(listApiKeys, (call) => listTenantKeys(parts, call)),
    answer(getApiKey, (call) => getKey(parts, call)),
    answer(updateApiKey, (call) => updateKey(parts, call)),
    answer(rotateApiKey, (call) => rotateKey(parts, call)),
    answer(revokeApiKey, (call) => revokeTenantKey(parts, call)),
    answer(createOAuthClient, (call) => createClient(parts, call)),
    answer(listOAuthClients, (call) => listTenantClients(parts, call)),
    answer(getOAuthClient, (call) => getClient(parts, call)),
    answer(revokeOAuthClient, (call) => revokeClient(parts, call)),
    answerAnyone(issueOAuthToken, createTokenEndpoint(parts)),
    answerAnyone(revokeOAuthToken, (call) => revokeOwnToken(parts, call)),
    answerAnyone(oauthMetadata, async () => ({ body: metadata })),
  ];
}
