import { timingSafeEqual } from 'node:crypto';
import type { Database } from '@cairn/postgres';
import { findKeyByDigest, type KeyRow, type TenantRow } from './key-store.ts';

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
  if (key.revoked_at !== null) return { ok: false, denial: 'revoked' };
  if (key.expires_at !== null && key.expires_at <= parts.now()) return { ok: false, denial: 'expired' };
  if (tenant.status !== 'active') return { ok: false, denial: 'tenant_suspended' };
  return { ok: true, key, tenant };
}
