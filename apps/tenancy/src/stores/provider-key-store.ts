import type { Tx } from '@cairn/postgres';

export interface ProviderKeyRow {
  tenant_id: string;
  provider: string;
  sealed: string;
  base_url: string | null;
  created_at: Date;
  updated_at: Date;
}

export async function putProviderKeyRow(
  tx: Tx,
  row: Pick<ProviderKeyRow, 'tenant_id' | 'provider' | 'sealed' | 'base_url'>,
): Promise<ProviderKeyRow> {
  const rows = await tx.query<ProviderKeyRow>(
    `INSERT INTO provider_keys (tenant_id, provider, sealed, base_url) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, provider) DO UPDATE
       SET sealed = excluded.sealed, base_url = excluded.base_url, updated_at = now()
     RETURNING *`,
    [row.tenant_id, row.provider, row.sealed, row.base_url],
  );
  return rows[0]!;
}

export async function listProviderKeyRows(tx: Tx): Promise<ProviderKeyRow[]> {
  return tx.query<ProviderKeyRow>('SELECT * FROM provider_keys ORDER BY provider');
}

export async function findProviderKey(tx: Tx, provider: string): Promise<ProviderKeyRow | null> {
  const rows = await tx.query<ProviderKeyRow>('SELECT * FROM provider_keys WHERE provider = $1', [provider]);
  return rows[0] ?? null;
}

export async function deleteProviderKeyRow(tx: Tx, provider: string): Promise<boolean> {
  return (await tx.execute('DELETE FROM provider_keys WHERE provider = $1', [provider])) > 0;
}
