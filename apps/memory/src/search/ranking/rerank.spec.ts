import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createChunkReader } from './chunk-terms.ts';
import { questionDates } from './question-dates.ts';
import { type Candidate, type RankingInput, rerank } from './rerank.ts';
import { speakerOf } from './speaker.ts';
import { NO_RANKING, type RankingWeights, RANKING } from './weights.ts';

const reader = createChunkReader();
let made = 0;

function candidate(body: string, score: number, more: Partial<Candidate> = {}): Candidate {
  const chunkId = `chk_${String(made++).padStart(6, '0')}`;
  const terms = reader.read({ chunkId, language: undefined, titlePath: '', body });
  return { chunkId, docId: `doc_${chunkId}`, score, body, occurredAtMs: null, terms, ...more };
}

function order(candidates: Candidate[], input: Partial<RankingInput>, weights: Partial<RankingWeights>): string[] {
  const whole: RankingInput & { candidates: Candidate[] } = {
    question: '',
    words: [],
    following: new Map(),
    dates: new Set(),
    window: null,
    graph: new Map(),
    ...input,
    candidates,
  };
  return rerank(whole, { ...NO_RANKING, depth: 50, ...weights }).map((one) => one.candidate.body);
}

describe('rerank', () => {
  it('prefers texts in which neighbouring words of the question stand together', () => {
    const words = ['green', 'ferri'].map((term) => ({ terms: [term], weight: 1, idf: 2 }));
    const apart = 'A green hull, and much later in the harbour there was a ferry.';
    const together = 'There was a green ferry in the harbour.';
    expect(
      order([candidate(apart, 1), candidate(together, 0.95)], { words }, { proximity: 0.2, proximityWindow: 3 }),
    ).toEqual([together, apart]);
  });

  it('lifts what is like the best one', () => {
    const best = 'The dispatcher lost its broker certificate at night.';
    const kin = 'A certificate of the broker had expired, so the dispatcher stood still.';
    const stranger = 'Lunch is served in the canteen at noon every day.';
    const order2 = order([candidate(best, 3), candidate(stranger, 2), candidate(kin, 1.9)], {}, { kinship: 0.5 });
    expect(order2).toEqual([best, kin, stranger]);
  });

  it.each([
    ['named speakers', 'Ann: ', 'Ben: '],
    ['a dialogue with a program', 'user: ', 'assistant: '],
  ])('lifts no turn for its similarity to the best one: %s', (_what, one, other) => {
    const best = `${one}The dispatcher lost its broker certificate at night.`;
    const kin = `${other}I saw a certificate of the broker expire, so the dispatcher stood still.`;
    const stranger = `${other}I have lunch in the canteen at noon every day.`;
    const found = [candidate(best, 3), candidate(stranger, 2), candidate(kin, 1.9)];
    expect(order(found, {}, { kinship: 0.5 })).toEqual([best, stranger, kin]);
  });

  it('lifts no passage of long documents for its similarity to the best one', () => {
    const best = 'The dispatcher lost its broker certificate at night.';
    const kin = 'A certificate of the broker had expired, so the dispatcher stood still.';
    const stranger = 'Lunch is served in the canteen at noon every day.';
    const found = [candidate(best, 3), candidate(stranger, 2), candidate(kin, 1.9)];
    const parts = found.map((one) => ({ ...one, docId: 'doc_whole' }));
    expect(order(parts, {}, { kinship: 0.5 })).toEqual([best, stranger, kin]);
  });

  it('lifts what the person of a dialogue said, when the question is about the one who asks', () => {
    const told = 'assistant: A red bicycle is a fine thing to have.';
    const said = 'user: I had my bicycle painted, it is green now.';
    const found = () => [candidate(told, 1.1), candidate(said, 1)];
    expect(order(found(), { question: 'What colour is my bicycle?' }, { asker: 0.5 })).toEqual([said, told]);
    expect(order(found(), { question: 'What did you say of my bicycle?' }, { asker: 0.5 })).toEqual([told, said]);
    expect(order(found(), { question: 'What colour is a fine bicycle?' }, { asker: 0.5 })).toEqual([told, said]);
  });

  it('lifts a turn by its neighbours, and one by whom the question names', () => {
    const [asked, told, other] = [
      candidate('Ann: Where do you keep the boat?', 2),
      candidate('Ben: By the old pier.', 0.8),
      candidate('Cid: I sold a boat.', 1),
    ];
    const following = new Map([[asked.docId, [told.docId]]]);
    expect(order([asked, other, told], { following }, { neighbour: 0.3 })).toEqual([asked.body, told.body, other.body]);
    expect(order([asked, other, told], { question: 'What did Ben say?' }, { speaker: 1.5 })[0]).toBe(told.body);
  });

  it('lifts what is of the named date or in the meant time', () => {
    const may = candidate('It rained.', 1, { occurredAtMs: Date.parse('2023-05-08T10:00:00Z') });
    const june = candidate('It snowed.', 1.05, { occurredAtMs: Date.parse('2023-06-08T10:00:00Z') });
    expect(order([june, may], { dates: questionDates('What happened in May 2023?') }, { date: 0.2 })).toEqual([
      may.body,
      june.body,
    ]);
    const window = { gteMs: Date.parse('2023-05-01T00:00:00Z'), ltMs: Date.parse('2023-06-01T00:00:00Z') };
    expect(order([june, may], { window }, { timeWindow: 0.5 })).toEqual([may.body, june.body]);
  });

  it('lifts what the graph connects with the question', () => {
    const [one, two] = [candidate('One.', 1), candidate('Two.', 0.9)];
    expect(order([one, two], { graph: new Map([[two.chunkId, 1]]) }, { graph: 0.3 })).toEqual([two.body, one.body]);
  });

  it('measures similarity by the best one of the words, whatever the graph lifts above it', () => {
    const best = 'The dispatcher lost its broker certificate at night.';
    const kin = 'A certificate of the broker had expired, so the dispatcher stood still.';
    const lifted = candidate('Lunch is served in the canteen at noon every day.', 2.8);
    const like = 'The canteen has lunch at noon, and is closed at night.';
    const candidates = [candidate(best, 3), lifted, candidate(like, 2), candidate(kin, 1.9)];
    const graph = new Map([[lifted.chunkId, 1]]);
    expect(order(candidates, { graph }, { kinship: 0.5, graph: 0.3 })).toEqual([best, lifted.body, kin, like]);
  });

  it('gives each score as the sum of its parts, takes nothing away, and keeps every candidate once', () => {
    const words = ['boiler', 'harbour', 'ferry', 'steel', 'Ann:', 'Ben:', '1931'];
    const body = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(body, fc.double({ min: 0.01, max: 9, noNaN: true })), { maxLength: 12 }),
        (drawn) => {
          const candidates = drawn
            .map(([text, score]) => candidate(text, score))
            .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
          const input = {
            question: 'boiler Ann',
            words: [],
            following: new Map(),
            dates: new Set<string>(),
            window: null,
          };
          const ranked = rerank({ ...input, graph: new Map(), candidates }, { ...RANKING, depth: 4 });
          expect(ranked.map((one) => one.candidate.chunkId).sort()).toEqual(
            candidates.map((one) => one.chunkId).sort(),
          );
          for (const one of ranked) {
            expect(one.score).toBeCloseTo(Object.values(one.signals).reduce((sum, share) => sum + share, 0));
            expect(one.score).toBeGreaterThanOrEqual(one.candidate.score);
          }
          expect(rerank({ ...input, graph: new Map(), candidates }, NO_RANKING).map((one) => one.candidate)).toEqual(
            candidates,
          );
        },
      ),
    );
  });
});

describe('speakerOf', () => {
  it('knows turns of a transcript from other texts', () => {
    expect(['Caroline: Hi!', '[10:31] Dr. Ann Lee: Yes.', 'Zoë O’Neil: oui'].map(speakerOf)).toEqual([
      'Caroline',
      'Dr. Ann Lee',
      'Zoë O’Neil',
    ]);
    expect(['It is late: go.', 'no name: here', 'http://x: y', ''].map(speakerOf)).toEqual([null, null, null, null]);
  });
});
