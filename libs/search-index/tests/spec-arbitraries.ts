import fc from 'fast-check';
import type { IndexChunk, IndexFilter, TimeRange } from '../src/search-index.ts';

/** A small vocabulary makes ties, stop words, identifiers, languages and missing words all common. */
const WORDS = [
  'pump',
  'pumps',
  'valve',
  'pressure',
  'Druck',
  'Ventil',
  'und',
  'die',
  'the',
  'of',
  'not',
  'to',
  'be',
  'café',
  'cafe',
  'mangé',
  'ERR-4711',
  'v2.3.1',
  'snake_case',
  'camelCaseWord',
  '2026-03-14',
  'March',
  '14',
  '2026',
  '東京都',
  'naïve',
  'running',
  'ran',
  'Ω',
  'a.b@c.example',
];
const MISSING = ['zebra', 'quagga'];

export const wordArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS.slice(0, 8)) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
);

const text = (maxLength: number) => fc.array(wordArbitrary, { maxLength }).map((words) => words.join(' '));

/** Ids from a small range, so that chunks are replaced and documents have several chunks. */
export const chunkIdArbitrary = fc.integer({ min: 0, max: 60 }).map((n) => `chk_${n}`);

export const chunkArbitrary: fc.Arbitrary<IndexChunk> = fc.record({
  chunkId: chunkIdArbitrary,
  docId: fc.integer({ min: 0, max: 9 }).map((n) => `doc_${n}`),
  vaultId: fc.constantFrom('vlt_a', 'vlt_b', 'vlt_c'),
  titlePath: text(3),
  contextPrefix: text(2),
  body: text(9),
  occurredAtMs: fc.option(fc.integer({ min: -5, max: 5 })),
  createdAtMs: fc.integer({ min: 0, max: 10 }),
});

const range: fc.Arbitrary<TimeRange> = fc.record(
  { gteMs: fc.integer({ min: -5, max: 8 }), ltMs: fc.integer({ min: -5, max: 8 }) },
  { requiredKeys: [] },
);

const filterArbitrary: fc.Arbitrary<IndexFilter> = fc.letrec<{ filter: IndexFilter; leaf: IndexFilter }>((tie) => ({
  leaf: fc.oneof(
    fc.subarray(['vlt_a', 'vlt_b', 'vlt_x']).map((vaultIds) => ({ vaultIds })),
    fc.subarray(['doc_0', 'doc_1', 'doc_2', 'doc_x']).map((ids) => ({ docIds: new Set(ids) })),
    range.map((occurredAt) => ({ occurredAt })),
    range.map((createdAt) => ({ createdAt })),
  ),
  filter: fc.oneof(
    { maxDepth: 2 },
    tie('leaf'),
    fc.array(tie('filter'), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('filter'), { maxLength: 3 }).map((or) => ({ or })),
    tie('filter').map((not) => ({ not })),
  ),
})).filter;

export interface SpecQuery {
  text: string;
  limit: number;
  filter: IndexFilter | undefined;
}

const phrase = fc.array(wordArbitrary, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`);
const queryWord = fc.oneof(
  { weight: 8, arbitrary: wordArbitrary },
  { weight: 1, arbitrary: fc.constantFrom(...MISSING) },
);

export const queryArbitrary: fc.Arbitrary<SpecQuery> = fc.record({
  text: fc.oneof(
    { weight: 4, arbitrary: fc.array(queryWord, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')) },
    { weight: 1, arbitrary: phrase },
    { weight: 1, arbitrary: fc.tuple(phrase, wordArbitrary).map((parts) => parts.join(' ')) },
  ),
  limit: fc.constantFrom(1, 3, 10, 100),
  filter: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: filterArbitrary }),
});
