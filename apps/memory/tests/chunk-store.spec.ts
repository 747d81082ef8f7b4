import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, FOUNDATION_MIGRATIONS, type Tx } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import {
  type ChunkRow,
  chunksOfDocuments,
  deleteChunks,
  findChunks,
  insertChunks,
  updateChunkPositions,
} from '../src/documents/chunk-store.ts';
import { followingDocuments } from '../src/search/following-documents.ts';

const MIGRATIONS = [FOUNDATION_MIGRATIONS, join(import.meta.dirname, '..', 'src', 'migrations')];
const SCOPE = { tenantId: 'ten_1', memoryId: 'mem_1' };
const DOCUMENTS = 1_000;
const CHUNKS_PER_DOCUMENT = 2;
const WANTED = 10;

let database: TestDatabase;
const rows: ChunkRow[] = Array.from({ length: DOCUMENTS * CHUNKS_PER_DOCUMENT }, (_, n) => ({
  chunk_id: `chk_${(n * 7919) % 2_003}`,
  doc_id: `doc_${Math.floor(n / CHUNKS_PER_DOCUMENT)}`,
  vault_id: 'vlt_1',
  ordinal: n % CHUNKS_PER_DOCUMENT,
  title_path: '',
  context_prefix: '',
  body: `chunk ${n}`,
  body_sha256: Buffer.alloc(32),
  location: {},
  occurred_at: null,
}));
/** Of documents here and there, one chunk each. */
const wanted = rows.filter((_, n) => n % (rows.length / WANTED) === 0);

beforeAll(async () => {
  database = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
  const owner = createDatabase({ url: database.ownerUrl, applicationName: 'spec', poolMax: 1 });
  await owner.transaction(async (tx) => {
    for (const table of ['chunks', 'documents'])
      await tx.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  });
  await owner.close();
  await database.app.withTenant(SCOPE.tenantId, async (tx) => {
    await tx.execute(
      `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
       SELECT $1, $2, 'doc_' || n, 'wsp_1', true, 'vlt_1', 'Title ' || n, 'text/plain', sha256(n::text::bytea), 0, 'completed'
         FROM generate_series(0, $3 - 1) AS n`,
      [SCOPE.tenantId, SCOPE.memoryId, DOCUMENTS],
    );
    await insertChunks(tx, SCOPE, rows);
  });
}, 60_000);
afterAll(() => database.close());

/** Rows that `work` read, by table. */
async function rowsRead(work: (tx: Tx) => Promise<unknown>): Promise<{ chunks: number; documents: number }> {
  return database.app.withTenant(SCOPE.tenantId, async (tx) => {
    const [chunksBefore, documentsBefore] = [await readSoFar(tx, 'chunks'), await readSoFar(tx, 'documents')];
    await work(tx);
    return {
      chunks: (await readSoFar(tx, 'chunks')) - chunksBefore,
      documents: (await readSoFar(tx, 'documents')) - documentsBefore,
    };
  });
}

async function readSoFar(tx: Tx, table: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    'SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS count FROM pg_stat_xact_user_tables WHERE relname = $1',
    [table],
  );
  return rows[0]?.count ?? 0;
}

describe('a memory that was filled a moment ago, of which PostgreSQL has no statistics', () => {
  const found = wanted.map((row) => ({ chunkId: row.chunk_id, docId: row.doc_id }));

  it('is read by key for the chunks of a search, not from end to end', async () => {
    const read = await rowsRead(async (tx) => {
      expect([...(await findChunks(tx, SCOPE, found)).keys()].sort()).toEqual(found.map((hit) => hit.chunkId).sort());
    });
    expect(read.chunks).toBeLessThanOrEqual(WANTED * CHUNKS_PER_DOCUMENT);
    expect(read.documents).toBeLessThanOrEqual(WANTED);
  });

  it('is read by key for what follows turns of a conversation', async () => {
    const turns = wanted.map((row) => ({ docId: row.doc_id, vaultId: row.vault_id }));
    const read = await rowsRead(async (tx) => {
      expect((await followingDocuments(tx, SCOPE, turns)).size).toBe(new Set(turns.map(({ docId }) => docId)).size);
    });
    expect(read.documents).toBeLessThanOrEqual(2 * WANTED);
  });

  it('has no index of documents that could be taken for the key and read from end to end', async () => {
    const rows = await database.app.withTenant(SCOPE.tenantId, (tx) =>
      tx.query<{ indexdef: string }>(
        `SELECT indexdef FROM pg_indexes WHERE tablename = 'documents' AND indexdef NOT LIKE '% WHERE %'
            AND indexdef LIKE '%(tenant_id, memory_id, %' AND indexdef NOT LIKE '%(tenant_id, memory_id, doc_id)%'`,
      ),
    );
    expect(rows).toEqual([]);
  });

  it('is read by key when documents are written again or deleted', async () => {
    const docIds = wanted.map((row) => row.doc_id);
    const bound = WANTED * CHUNKS_PER_DOCUMENT;
    expect((await rowsRead((tx) => chunksOfDocuments(tx, SCOPE, docIds))).chunks).toBeLessThanOrEqual(bound);
    expect((await rowsRead((tx) => updateChunkPositions(tx, SCOPE, wanted))).chunks).toBeLessThanOrEqual(2 * bound);
    expect((await rowsRead((tx) => deleteChunks(tx, SCOPE, wanted))).chunks).toBeLessThanOrEqual(2 * bound);
    const left = await database.app.withTenant(SCOPE.tenantId, (tx) => findChunks(tx, SCOPE, found));
    expect(left.size).toBe(0);
  });
});
