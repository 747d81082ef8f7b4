import { describe, expect, it } from '@jest/globals';
import { keepWithinMemory } from './keep-within-memory.ts';

const rows = { documents: ['one'] };
const shownOf = (...queryKey: unknown[]) => ({ queryKey });

describe('what is shown while something else is fetched', () => {
  it('is what was shown before, of the same memory', () => {
    const keep = keepWithinMemory(['documents', { memory_id: 'mem_1', sort: 'oldest' }]);
    expect(keep(rows, shownOf('documents', { memory_id: 'mem_1', sort: 'newest' }))).toBe(rows);
    expect(keepWithinMemory(['runs', { limit: 30 }])(rows, shownOf('runs', { limit: 30, kind: 'web' }))).toBe(rows);
  });

  it('is nothing of another memory', () => {
    const keep = keepWithinMemory(['documents', { memory_id: 'mem_1' }]);
    expect(keep(rows, shownOf('documents', { memory_id: 'mem_2' }))).toBeUndefined();
    expect(keep(rows, shownOf('documents', {}))).toBeUndefined();
    expect(keepWithinMemory(['decisions', {}])(rows, shownOf('decisions', { memory_id: 'mem_1' }))).toBeUndefined();
  });

  it('is nothing at first', () => {
    expect(keepWithinMemory(['documents', {}])(undefined, undefined)).toBeUndefined();
  });
});
