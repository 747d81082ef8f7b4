import type { getProviderKey, ResponseOf } from '@cairn/contracts';
import type { ProviderKeyRow } from '../stores/provider-key-store.ts';

/** A provider key as the API shows it: without the key. */
export function presentProviderKey(row: ProviderKeyRow): ResponseOf<typeof getProviderKey> {
  return {
    provider: row.provider,
    base_url: row.base_url,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
