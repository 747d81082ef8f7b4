import { randomUUID } from 'node:crypto';
import { CairnError } from '@cairn/errors';
import type { ClusterIndexRegister } from '../../src/opensearch/cluster-index-register.ts';
import { SPELLING_SEPARATOR } from '../../src/opensearch/index-definition.ts';
import type { ChunkRecord } from '../../src/opensearch/chunk-record.ts';
import type { Clause, SearchCluster } from '../../src/opensearch/search-cluster.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';

interface Kept {
  version: number;
  record: ChunkRecord | null;
}

/** Enough of a cluster for what happens around it: versions, absence, loss, and finding a word. It ignores filters. */
export class InMemoryCluster implements SearchCluster {
  isDown = false;
  /** Memories whose shard is away. */
  readonly away = new Set<string>();
  private held = Promise.withResolvers<void>();
  /** Writes that were asked for. */
  writes = 0;
  private readonly register: ClusterIndexRegister;
  private uuid: string | null = null;
  /** As it was looked up. */
  private used: string | null = null;
  private readonly kept = new Map<string, Map<string, Kept>>();

  constructor(register: ClusterIndexRegister) {
    this.register = register;
    this.release();
  }

  /** Writes are under way from now on until they are released. */
  hold(): void {
    this.held = Promise.withResolvers();
  }

  release(): void {
    this.held.resolve();
  }

  /** Its index is gone, and with it all that was written. */
  lose(): void {
    this.uuid = null;
    this.kept.clear();
  }

  async prepare(): Promise<string> {
    if (this.isDown) throw new CairnError('unavailable', 'The cluster is down.');
    if (this.used !== null) return this.used;
    this.used = await this.register.alone(async () => {
      await this.register.note(this.uuid);
      this.uuid ??= randomUUID();
      await this.register.note(this.uuid);
      return this.uuid;
    });
    return this.used;
  }

  lookAgain(): void {
    this.used = null;
  }

  private async recordsOf(memory: MemoryScope): Promise<Map<string, Kept>> {
    await this.prepare();
    if (this.uuid === null) {
      this.used = null;
      throw new CairnError('unavailable', 'There is no such index.');
    }
    if (this.away.has(memory.memoryId)) throw new CairnError('unavailable', 'The shard is away.');
    const key = `${memory.tenantId} ${memory.memoryId}`;
    const records = this.kept.get(key) ?? new Map<string, Kept>();
    this.kept.set(key, records);
    return records;
  }

  private async living(memory: MemoryScope): Promise<ChunkRecord[]> {
    return [...(await this.recordsOf(memory)).values()].flatMap(({ record }) => (record === null ? [] : [record]));
  }

  async write(...[memory, version, changes]: Parameters<SearchCluster['write']>): Promise<Set<string>> {
    this.writes += 1;
    await this.held.promise;
    const records = await this.recordsOf(memory);
    const outdated = new Set<string>();
    for (const { chunkId, record } of changes) {
      if ((records.get(chunkId)?.version ?? 0) >= version) outdated.add(chunkId);
      else records.set(chunkId, { version, record });
    }
    return outdated;
  }

  async aggregate(memory: MemoryScope, _filters: readonly Clause[], aggregations: Clause) {
    const records = await this.living(memory);
    const named = aggregations['frequencies'] as { filters: { filters: Record<string, unknown> } } | undefined;
    const terms = Object.keys(named?.filters.filters ?? {});
    const buckets = terms.map((term) => [term, { doc_count: records.filter((record) => holds(record, term)).length }]);
    return {
      chunkCount: records.length,
      aggregations: {
        length: { value: records.reduce((sum, record) => sum + record.length, 0) },
        languages: { buckets: records.map(({ language }) => ({ key: language, doc_count: 1 })) },
        frequencies: { buckets: Object.fromEntries(buckets) as Record<string, { doc_count: number }> },
      },
    };
  }

  async find(...[memory, , { clauses, limit }]: Parameters<SearchCluster['find']>) {
    const asked = clauses.map((clause) => (clause as { match: { words: { query: string } } }).match.words.query);
    const records = await this.living(memory);
    return records
      .filter((record) => asked.some((word) => word.split(SPELLING_SEPARATOR).some((term) => holds(record, term))))
      .map(({ chunk, doc, language }) => ({ chunkId: chunk, docId: doc, language, score: 1 }))
      .slice(0, limit);
  }

  async list(memory: MemoryScope, after: string, limit: number) {
    const records = (await this.living(memory)).filter(({ chunk }) => chunk > after);
    records.sort((a, b) => (a.chunk < b.chunk ? -1 : 1));
    return records.slice(0, limit).map(({ chunk, vault }) => ({ chunkId: chunk, vaultId: vault }));
  }

  async deleteMemory(memory: MemoryScope): Promise<boolean> {
    (await this.recordsOf(memory)).clear();
    return true;
  }

  async expunge(): Promise<void> {
    await this.prepare();
  }

  async close(): Promise<void> {
    this.kept.clear();
  }
}

function holds(record: ChunkRecord, term: string): boolean {
  return record.words.some((field) => field.split(' ').some((word) => word.split(SPELLING_SEPARATOR).includes(term)));
}
