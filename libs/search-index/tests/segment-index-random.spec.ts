import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import { readManifest, statisticsOf } from '../src/segment/manifest.ts';
import { createMerger, type Merger } from '../src/merging/merger.ts';
import { searchByBruteForce, type ReferenceChunk } from './reference-index.ts';
import { FIELD_WEIGHTS } from '../src/segment/scoring.ts';
import type { IndexChunk, IndexScope } from '../src/search-index.ts';
import { createIndexCaches } from '../src/index-caches.ts';
import { createSegmentIndex } from '../src/segment-index.ts';
import { chunkArbitrary, chunkIdArbitrary, queryArbitrary, type SpecQuery } from './spec-arbitraries.ts';
import { openSpecDatabase, type SpecDatabase } from './spec-database.ts';
import { SPEC_ANALYSER } from './spec-analyser.ts';

type Step =
  | { add: IndexChunk[]; keep: boolean }
  | { remove: string[]; keep: boolean }
  | { merge: true }
  | { query: SpecQuery };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      add: fc.array(chunkArbitrary, { minLength: 1, maxLength: 10 }),
      keep: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.array(chunkIdArbitrary, { maxLength: 8 }), keep: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ merge: true } as const) },
  { weight: 4, arbitrary: fc.record({ query: queryArbitrary }) },
);

const CASES = specCases(80);

let database: SpecDatabase;
let merger: Merger;
const index = createSegmentIndex({ analyser: SPEC_ANALYSER });
/** A second process, so to speak: it has a cache of its own and comes late to every memory. */
const lateIndex = createSegmentIndex({
  analyser: SPEC_ANALYSER,
  caches: createIndexCaches({ pageMaxBytes: 1, tombstoneMaxBytes: 1 }),
});

beforeAll(async () => {
  database = await openSpecDatabase();
  const limits = {
    segmentsPerTier: 3,
    mergeAtOnceMax: 5,
    mergedChunksMax: 200,
    mergedBytesMax: 1_000_000,
    deletedShareMax: 0.25,
    tombstoneRetentionMs: 3_600_000,
  };
  merger = createMerger({ analyser: SPEC_ANALYSER, database: database.worker, onError: () => undefined, limits });
}, 60_000);
afterAll(() => database.close());

/** The chunks of each segment, as the statistics count them. */
class Model {
  segments = new Map<string, ReferenceChunk[]>();
  readonly memory: IndexScope = { tenantId: `ten_${randomUUID()}`, memoryId: 'mem' };

  get all(): ReferenceChunk[] {
    return [...this.segments.values()].flat();
  }

  manifest() {
    return database.app.withTenant(this.memory.tenantId, (tx) => readManifest(tx, this.memory), { mode: 'snapshot' });
  }

  /** Runs a write and, unless it is rolled back, does the same here. */
  async write(keep: boolean, work: Parameters<SpecDatabase['app']['withTenant']>[1], apply: () => void): Promise<void> {
    const done = database.app.withTenant(this.memory.tenantId, async (tx) => {
      await work(tx);
      if (!keep) throw new Error('rolled back');
    });
    if (keep) {
      await done;
      apply();
    } else {
      await assert.rejects(done, /rolled back/);
    }
  }

  mark(ids: readonly string[]): void {
    for (const held of this.all) if (ids.includes(held.chunk.chunkId)) held.deleted = true;
  }

  async add(step: { add: IndexChunk[]; keep: boolean }): Promise<void> {
    const chunks = [...new Map(step.add.map((chunk) => [chunk.chunkId, chunk])).values()];
    const ids = chunks.map((chunk) => chunk.chunkId);
    await this.write(
      step.keep,
      async (tx) => {
        await index.remove(tx, this.memory, ids);
        await index.add(tx, this.memory, chunks);
      },
      () => this.mark(ids),
    );
    if (!step.keep) return;
    const known = this.segments;
    const fresh = (await this.manifest())!.segments.find((segment) => !known.has(segment.segmentId))!;
    this.segments.set(
      fresh.segmentId,
      chunks.map((chunk) => ({ chunk, deleted: false })),
    );
  }

  async merge(): Promise<void> {
    const report = await merger.mergeOnce(this.memory);
    if (report === null) return;
    const living = report.inputIds.flatMap((id) => this.segments.get(id)!).filter((held) => !held.deleted);
    for (const id of report.inputIds) this.segments.delete(id);
    assert.equal(report.chunkCount, living.length);
    if (living.length > 0) this.segments.set(report.outputIds[0]!, living);
  }

  async query(query: SpecQuery): Promise<void> {
    const manifest = await this.manifest();
    const { languages } = statisticsOf(manifest?.segments ?? [], FIELD_WEIGHTS);
    const expected = this.all.length === 0 ? [] : searchByBruteForce(this.all, { ...query, languages });
    for (const engine of [index, lateIndex]) {
      const { filter, ...rest } = query;
      const hits = await database.app.withTenant(
        this.memory.tenantId,
        (tx) => engine.search(tx, this.memory, filter === undefined ? rest : { ...rest, filter }),
        { mode: 'snapshot' },
      );
      assert.deepEqual(
        hits.map(({ chunkId, score }) => ({ chunkId, score })),
        expected,
      );
    }
  }
}

describe('random steps in PostgreSQL', () => {
  it('the index returns the ids and scores of a full scan after any adds, replacements, deletes, rollbacks and merges', async () => {
    let cases = 0;
    const run = async (steps: Step[]) => {
      cases++;
      const model = new Model();
      for (const step of steps) {
        if ('add' in step) await model.add(step);
        else if ('remove' in step)
          await model.write(
            step.keep,
            (tx) => index.remove(tx, model.memory, step.remove),
            () => model.mark(step.remove),
          );
        else if ('merge' in step) await model.merge();
        else await model.query(step.query);
      }
      await model.query({ text: 'pump Druck the ERR-4711', limit: 100, filter: undefined });
    };
    await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { minLength: 4, maxLength: 24 }), run), {
      numRuns: CASES,
    });
    expect(cases).toBe(CASES);
  }, 120_000);
});
