import { createApiKey, getApiKey, listApiKeys } from '@cairn/contracts';
import { answer, type BoundOperation } from '@cairn/service-kit';
import { createKey, type CreateKeyParts } from './create-key.ts';
import { getKey } from './get-key.ts';
import { listTenantKeys } from './list-keys.ts';

/** The operations this service answers. */
export function operations(parts: CreateKeyParts): BoundOperation[] {
  return [
    answer(createApiKey, (call) => createKey(parts, call)),
    answer(listApiKeys, (call) => listTenantKeys(parts, call)),
    answer(getApiKey, (call) => getKey(parts, call)),
  ];
}
