import { expect, it } from '@jest/globals';
import { queriesAffectedBy } from './affected-queries.ts';

it('an event makes the data of its area old, also one that is newer than the console', () => {
  expect(queriesAffectedBy('memory.ingest.completed')).toEqual(['documents', 'entities']);
  expect(queriesAffectedBy('memory.document.thawed')).toEqual(['documents']);
  expect(queriesAffectedBy('memory.entity.contradiction_detected')).toEqual(['contradictions']);
  expect(queriesAffectedBy('stream.position')).toEqual([]);
});
