import { timingSafeEqual } from 'node:crypto';
import type { Database } from '@cairn/postgres';
import { findKeyByDigest, type KeyRow } from './key-store.ts';
import { stateOf } from './key-state.ts';
import type { TenantRow } from './tenant-store.ts';

export type Resolution =
  | { ok: true; key: KeyRow; tenant: TenantRow }
  | { ok: false; denial: 'unknown' | 'expired' | 'revoked' | 'tenant_suspended' };

/** Whose key has this digest and whether it is good now. Needs the worker role: no tenant is known yet. */
export async function resolveKey(
  parts: { workerDatabase: Database; now: () => Date },
  sha256: Uint8Array,
): Promise<Resolution> {
  const found = await parts.workerDatabase.transaction((tx) => findKeyByDigest(tx, sha256));
  if (found === null || !timingSafeEqual(found.key.sha256, sha256)) return { ok: false, denial: 'unknown' };
  const { key, tenant } = found;
  const state = stateOf(key, parts.now());
  if (state !== 'good') return { ok: false, denial: state };
  if (tenant.status !== 'active') return { ok: false, denial: 'tenant_suspended' };
  return { ok: true, key, tenant };
}
