import type { Identity } from '@cairn/identity';
import type { Answer, RunningKeys, Tenant } from './keys-harness.ts';

export interface MadeKey {
  keyId: string;
  plaintext: string;
  /** A caller that uses it. */
  caller: Identity;
}

/** Mints keys through the API, and what is done to them there. */
export function keyClient(keys: RunningKeys, tenant: () => Tenant) {
  const at = (keyId: string) => `/api/v1/api-keys/${keyId}`;
  return {
    async mint(body: object = {}, identity: Identity = tenant().live): Promise<MadeKey> {
      const response = await keys.call(identity, 'POST', '/api/v1/api-keys', { name: 'x', ...body });
      if (response.status !== 201) throw new Error(JSON.stringify(response.body));
      const made = response.body as { key_id: string; api_key: string; type: Identity['kind']; livemode: boolean };
      const tenantId = made.livemode ? tenant().tenantId : tenant().testTenantId;
      return {
        keyId: made.key_id,
        plaintext: made.api_key,
        caller: { ...tenant().live, tenantId, livemode: made.livemode, kind: made.type, keyId: made.key_id },
      };
    },
    read: (keyId: string, identity = tenant().live): Promise<Answer> => keys.call(identity, 'GET', at(keyId)),
    revoke: (keyId: string, identity = tenant().live): Promise<Answer> => keys.call(identity, 'DELETE', at(keyId)),
    change: (keyId: string, body: object, identity = tenant().live): Promise<Answer> =>
      keys.call(identity, 'PATCH', at(keyId), body),
    rotate: (keyId: string, body: object = {}, identity = tenant().live, headers = {}): Promise<Answer> =>
      keys.call(identity, 'POST', `${at(keyId)}/rotate`, body, headers),
  };
}
