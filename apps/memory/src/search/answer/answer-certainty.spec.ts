import { expect, it } from '@jest/globals';
import { certaintyFeatures } from './answer-certainty.ts';
import { draftAnswer } from './extractive-answer.ts';
import type { Passage } from './passage.ts';

it('is no surer of an answer because the ranking that found it spreads its scores', () => {
  const question = 'How many bytes does a page have?';
  const found = (spread: number): Passage[] =>
    Array.from({ length: 12 }, (_, rank) => ({
      chunkId: `c${rank}`,
      docId: `d${rank}`,
      title: `Page ${rank}`,
      titlePath: `Page ${rank}`,
      body: rank === 0 ? 'A page has 4096 bytes.' : `Section ${rank} tells of files and bytes.`,
      score: 10 - spread * rank,
    }));
  const featuresAt = (spread: number) => {
    const { spans, ...draft } = draftAnswer(question, found(spread));
    // The choice of a sentence may know scores: its worth is left as it is here.
    return certaintyFeatures({ ...draft, spans: { ...spans!, values: spans!.values.map(() => 0) } });
  };
  expect(featuresAt(0.8)).toEqual(featuresAt(0.01));
});
