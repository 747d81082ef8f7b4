import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SPEC_ANALYSER } from './spec-analyser.ts';
import { openSpecDatabase, type SpecDatabase } from './spec-database.ts';
import { compareWithRebuild, runWorkload } from './workload.ts';

/** The long version, over two processes that are killed, is `npm run chaos -- index`. */
const DURATION_MS = 6_000;

let database: SpecDatabase;

beforeAll(async () => {
  database = await openSpecDatabase();
}, 60_000);
afterAll(() => database.close());

describe('8 writers, 2 mergers and 8 readers on one memory', () => {
  it('concurrent writers, mergers and readers lose no delete, find exactly the stored chunks in each snapshot, and leave an index that equals a rebuild', async () => {
    const until = Date.now() + DURATION_MS;
    const { app, worker } = database;
    const memory = { tenantId: 'ten_concurrent', memoryId: 'mem_concurrent' };
    const report = await runWorkload({
      app,
      worker,
      memory,
      analyser: SPEC_ANALYSER,
      writers: 8,
      mergers: 2,
      readers: 8,
      done: () => Date.now() >= until,
    });
    expect(report.violations).toEqual([]);
    expect(report.writes).toBeGreaterThan(50);
    expect(report.reads).toBeGreaterThan(50);
    expect(report.merges).toBeGreaterThan(0);
    expect(await compareWithRebuild({ app, worker, memory, analyser: SPEC_ANALYSER })).toEqual([]);
  }, 60_000);
});
