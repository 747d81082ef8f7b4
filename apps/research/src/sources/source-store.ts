import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

type SourceKind = 'memory' | 'web' | 'upload';

/** A text that a run has read, stored verbatim so that quotes can be verified. */
export interface SourceRecord {
  run_id: string;
  source_id: string;
  origin: string;
  kind: SourceKind;
  title: string;
  uri: string | null;
  body: string;
  occurred_at: Date | null;
  /** The vault of a document of the memory; null for other sources. */
  vault_id: string | null;
  created_at: Date;
}

type NewSource = Omit<SourceRecord, 'source_id' | 'occurred_at' | 'vault_id' | 'created_at'> & {
  tenantId: string;
  vaultId?: string;
  occurredAt: string | null;
};

/** Most text that one run reads: its analyses hold these texts in memory. */
export const TEXT_MAX_CHARS = 16_000_000;

/** Stores a source once per origin; `added` is true when it is new. */
export async function storeSource(tx: Tx, source: NewSource): Promise<{ sourceId: string; added: boolean }> {
  const inserted = await tx.query<{ source_id: string }>(
    `INSERT INTO sources (tenant_id, run_id, source_id, origin, kind, title, uri, body, occurred_at, vault_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (run_id, origin) DO NOTHING RETURNING source_id`,
    [
      source.tenantId,
      source.run_id,
      newId('source'),
      source.origin,
      source.kind,
      source.title,
      source.uri,
      source.body,
      source.occurredAt,
      source.vaultId ?? null,
    ],
  );
  if (inserted[0] !== undefined) {
    await tx.execute('UPDATE research_runs SET text_chars = text_chars + $2 WHERE run_id = $1', [
      source.run_id,
      source.body.length,
    ]);
    return { sourceId: inserted[0].source_id, added: true };
  }
  const known = await tx.query<{ source_id: string }>(
    'SELECT source_id FROM sources WHERE run_id = $1 AND origin = $2',
    [source.run_id, source.origin],
  );
  return { sourceId: known[0]!.source_id, added: false };
}

/** The sources of a run, by id or by kind. */
export async function readSources(
  tx: Tx,
  runId: string,
  which: { ids: readonly string[] } | { kinds: readonly SourceKind[] },
): Promise<SourceRecord[]> {
  const byId = 'ids' in which;
  return tx.query<SourceRecord>(
    `SELECT * FROM sources WHERE run_id = $1 AND ${byId ? 'source_id' : 'kind'} = ANY($2) ORDER BY source_id`,
    [runId, byId ? which.ids : which.kinds],
  );
}

/** A page of the sources of a run, without their texts. */
export async function listSources(
  tx: Tx,
  runId: string,
  page: { after: string; limit: number },
): Promise<Omit<SourceRecord, 'body' | 'vault_id'>[]> {
  return tx.query(
    `SELECT run_id, source_id, origin, kind, title, uri, occurred_at, created_at
       FROM sources WHERE run_id = $1 AND source_id > $2 ORDER BY source_id LIMIT $3`,
    [runId, page.after, page.limit],
  );
}

/** One source with its text, whichever run of the tenant has read it; null when there is none. */
export async function findSource(tx: Tx, tenantId: string, sourceId: string): Promise<SourceRecord | null> {
  const rows = await tx.query<SourceRecord>('SELECT * FROM sources WHERE tenant_id = $1 AND source_id = $2', [
    tenantId,
    sourceId,
  ]);
  return rows[0] ?? null;
}
