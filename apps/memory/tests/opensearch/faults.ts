import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import type { IndexChunk } from '@cairn/search-index';
import { eventually, type OpenSearchCluster } from '@cairn/testing';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { checkDrift } from '../../src/opensearch/check-drift.ts';
import { chunkRecord } from '../../src/opensearch/chunk-record.ts';
import { type OpenedOnCluster, openOnCluster } from './open-on-cluster.ts';

const MEMORIES = 3;
const TRANSACTIONS = 40;
const CHUNKS_PER_TRANSACTION = 5;
const LIMIT = 20;
/** Shards are promoted, and copied again, on a machine that others use too. */
const RECOVERY_TIMEOUT_MS = 180_000;
const SPEC_TIMEOUT_MS = 420_000;

function chunk(chunkId: string, body: string, more: Partial<IndexChunk> = {}): IndexChunk {
  const plain = { docId: `doc_${chunkId}`, vaultId: 'vlt_1', titlePath: '', contextPrefix: '' };
  return { chunkId, body, ...plain, occurredAtMs: null, createdAtMs: 1_000, ...more };
}

/** What holds while nodes die, and whatever the cluster claims. */
export function describeFaults(nodes: () => OpenSearchCluster): void {
  describe('OpenSearch behind PostgreSQL', () => {
    let opened: OpenedOnCluster;
    beforeAll(async () => {
      opened = await openOnCluster(nodes(), 'faults', 2);
    });
    afterAll(() => opened.close());

    const add = (memory: MemoryScope, ...chunks: IndexChunk[]) =>
      opened.database.withTenant(memory.tenantId, (tx) => opened.index.add(tx, memory, chunks));
    const find = async (memory: MemoryScope, text: string) => {
      const hits = await opened.database.withTenant(
        memory.tenantId,
        (tx) => opened.index.search(tx, memory, { text, limit: LIMIT }),
        { mode: 'snapshot' },
      );
      return hits.map((hit) => hit.chunkId);
    };
    const newMemory = (): MemoryScope => ({ tenantId: `ten_${randomUUID()}`, memoryId: `mem_${randomUUID()}` });

    it('returns nothing that PostgreSQL does not have, or has elsewhere, whatever the cluster holds', async () => {
      const memory = newMemory();
      const other = newMemory();
      await add(memory, chunk('a', 'a shared word'), chunk('moved', 'a shared word'));
      await add(other, chunk('b', 'a shared word'));
      await opened.index.publish(memory);
      await opened.index.publish(other);
      // The cluster of a nightmare: another tenant's chunk under this memory, a deleted one, and one in its old vault.
      await opened.cluster.write(memory, Number.MAX_SAFE_INTEGER, [
        { chunkId: 'b', record: chunkRecord(memory, chunk('b', 'a shared word')) },
        { chunkId: 'gone', record: chunkRecord(memory, chunk('gone', 'a shared word')) },
      ]);
      await opened.database.withTenant(memory.tenantId, (tx) =>
        tx.execute("UPDATE chunks SET vault_id = 'vlt_2' WHERE tenant_id = $1 AND chunk_id = 'moved'", [
          memory.tenantId,
        ]),
      );
      expect(await find(memory, 'shared')).toEqual(['a', 'moved']);
      const inVault = await opened.database.withTenant(memory.tenantId, (tx) =>
        opened.index.search(tx, memory, { text: 'shared', limit: LIMIT, within: { vaultIds: ['vlt_1'] } }),
      );
      expect(inVault.map((hit) => hit.chunkId)).toEqual(['a']);
      const drift = await checkDrift({ database: opened.database, cluster: opened.cluster }, memory, false);
      expect(drift).toEqual({ chunks: 2, missing: 0, surplus: 2, misplaced: 1 });
    });

    it('notices that its index was deleted, and goes on with one that has the same fields', async () => {
      const memory = newMemory();
      await add(memory, chunk('a', 'first'), chunk('gone', 'first'));
      await opened.index.publish(memory);
      const uuids = () =>
        opened.postgres.worker.transaction((tx) => tx.query('SELECT index_uuid FROM search_cluster_index'));
      const before = await uuids();
      await nodes().ask('/faults-1', 0, 'DELETE');
      // Nothing is made for it by the cluster itself, whose fields would be others.
      await opened.database.withTenant(memory.tenantId, (tx) => opened.index.remove(tx, memory, ['gone']));
      await opened.index.publish(memory).catch(onlyUnavailable);
      await expect(find(memory, 'first')).rejects.toMatchObject({ code: 'unavailable' });
      await add(memory, chunk('b', 'second'));
      await eventually(() =>
        opened.index.publish(memory).then(
          () => true,
          (error: unknown) => onlyUnavailable(error) ?? false,
        ),
      );
      expect(await find(memory, 'second')).toEqual(['b']);
      expect(await uuids()).not.toEqual(before);
      const { mappings } = Object.values(
        (await nodes().ask('/faults')) as Record<string, { mappings: { dynamic: string } }>,
      )[0]!;
      expect(mappings.dynamic).toBe('strict');
      const drift = await checkDrift({ database: opened.database, cluster: opened.cluster }, memory, false);
      expect(drift).toMatchObject({ chunks: 2, missing: 1 });
    });

    it('does not let an older version overwrite a newer one, and tells of it', async () => {
      const memory = newMemory();
      await add(memory, chunk('a', 'first'));
      await opened.index.publish(memory);
      const late = await opened.cluster.write(memory, 0, [{ chunkId: 'a', record: null }]);
      expect([...late]).toEqual(['a']);
      expect(await find(memory, 'first')).toEqual(['a']);
    });

    it(
      'loses nothing when the node that leads is killed while documents come in and are searched, and recovers by itself',
      async () => {
        const memories = Array.from({ length: MEMORIES }, newMemory);
        let isWriting = true;
        const written = memories.map(async (memory, which) => {
          for (let at = 0; at < TRANSACTIONS; at += 1) {
            const chunks = Array.from({ length: CHUNKS_PER_TRANSACTION }, (_none, n) =>
              chunk(`m${which}-${at}-${n}`, `common word of turn ${at} number ${n}`),
            );
            await add(memory, ...chunks);
            await opened.index.publish(memory).catch(onlyUnavailable);
          }
        });
        const searched = memories.map(async (memory, which) => {
          let answers = 0;
          while (isWriting) {
            const ids = await find(memory, 'common word').catch(onlyUnavailable);
            for (const id of ids ?? []) expect(id.startsWith(`m${which}-`)).toBe(true);
            if (ids !== undefined) answers += 1;
          }
          return answers;
        });
        await eventually(async () => (await find(memories[0]!, 'common')).length > 0);
        const leader = await nodes().leader();
        await nodes().kill(leader);
        await Promise.all(written);
        isWriting = false;
        for (const answers of await Promise.all(searched)) expect(answers).toBeGreaterThan(0);
        const publishAll = () => Promise.all(memories.map((memory) => opened.index.publish(memory))).then(() => true);
        // With two of three nodes, and nobody's help.
        await eventually(publishAll, Boolean, RECOVERY_TIMEOUT_MS);
        for (const memory of memories) {
          expect(await checkDrift({ database: opened.database, cluster: opened.cluster }, memory, false)).toEqual({
            chunks: TRANSACTIONS * CHUNKS_PER_TRANSACTION,
            missing: 0,
            surplus: 0,
            misplaced: 0,
          });
        }
        await nodes().restart(leader);
        await nodes().whole();
        expect((await find(memories[0]!, `turn ${TRANSACTIONS - 1}`)).length).toBe(LIMIT);
      },
      SPEC_TIMEOUT_MS,
    );
  });
}

function onlyUnavailable(error: unknown): undefined {
  if (error instanceof CairnError && error.code === 'unavailable') return undefined;
  throw error;
}
