import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { PgvectorMeasurement } from '../bench/memory/vectors/measure-pgvector.ts';

const SCRIPT = join(import.meta.dirname, '..', 'bench', 'memory', 'vectors', 'measure-pgvector.ts');

describe('vectors where PostgreSQL has pgvector', () => {
  it('find at least .98 of the exact ten nearest by HNSW, filtered too, and all of them for a tenant with 1 % and in a small space', async () => {
    // PGlite imports modules on its way, which Jest cannot: it runs in a process of its own.
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT]);
    const { byIndex, convertedLater, cells } = JSON.parse(stdout) as PgvectorMeasurement;
    // Those that were stored before pgvector was installed are found all the time.
    expect(convertedLater).toBe(true);
    expect(byIndex).toBe(true);
    expect(cells.large.recall).toBeGreaterThanOrEqual(0.98);
    expect(cells.largeFiltered.recall).toBe(1);
    expect(cells.largeFilteredByIndex.recall).toBeGreaterThanOrEqual(0.98);
    expect(cells.smallByIndex.recall).toBeGreaterThanOrEqual(0.98);
    expect([cells.small.recall, cells.smallFiltered.recall]).toEqual([1, 1]);
  }, 600_000);
});
