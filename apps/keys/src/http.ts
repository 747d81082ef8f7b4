import { createApiKey, getApiKey, listApiKeys, revokeApiKey, rotateApiKey, updateApiKey } from '@cairn/contracts';
import { answer, type BoundOperation } from '@cairn/service-kit';
import { createKey, type CreateKeyParts } from './create-key.ts';
import { getKey } from './get-key.ts';
import { listTenantKeys } from './list-keys.ts';
import type { Narrow } from './narrow/narrow.ts';
import { revokeTenantKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { updateKey } from './update-key.ts';

/** The operations this service answers. */
export function operations(parts: CreateKeyParts & { narrow: Narrow }): BoundOperation[] {
  return [
    answer(createApiKey, (call) => createKey(parts, call)),
    answer(listApiKeys, (call) => listTenantKeys(parts, call)),
    answer(getApiKey, (call) => getKey(parts, call)),
    answer(updateApiKey, (call) => updateKey(parts, call)),
    answer(rotateApiKey, (call) => rotateKey(parts, call)),
    answer(revokeApiKey, (call) => revokeTenantKey(parts, call)),
  ];
}
