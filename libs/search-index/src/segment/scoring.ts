/**
 * Simple BM25F (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM 2004):
 * field weights apply to frequencies and lengths, one saturation follows. `npm run eval` sweeps these numbers.
 */
export const BM25_K1 = 0.9;
export const BM25_B = 0.4;

export interface FieldWeights {
  title: number;
  context: number;
  body: number;
}

// Title 2 against 1: SciFact .696 against .692, Cranfield .363 against .351, HotpotQA-100 .808 against .798 nDCG@10.
export const FIELD_WEIGHTS: Readonly<FieldWeights> = { title: 2, context: 1, body: 1 };

/** Says which weights block maxima were made for; under others they bound nothing. */
export function weightsKey(weights: FieldWeights): string {
  return `${weights.title},${weights.context},${weights.body}`;
}

/** Inverse document frequency as Lucene has it: positive for every term, even one that every chunk holds. */
export function inverseDocumentFrequency(chunkCount: number, documentFrequency: number): number {
  const df = Math.min(documentFrequency, chunkCount);
  return Math.log(1 + (chunkCount - df + 0.5) / (df + 0.5));
}

/** What depends on the memory and not on the chunk: `k1 · (1 − b + b · length / average)` is `base + slope · length`. */
export interface LengthNorm {
  base: number;
  slope: number;
}

export function lengthNorm(averageLength: number): LengthNorm {
  return { base: BM25_K1 * (1 - BM25_B), slope: averageLength > 0 ? (BM25_K1 * BM25_B) / averageLength : 0 };
}

// Adding and taking away 1.5 · 2^12 rounds to multiples of 2^-40: sums of such numbers below 4,096 are exact,
// hence the same in whatever order segments, windows and threads add them, and ties are real ties.
const ROUNDER = 6_144;
const SCORE_STEP: number = 2 ** -40;

export function contribution(weight: number, frequency: number, length: number, norm: LengthNorm): number {
  return (weight * frequency) / (frequency + norm.base + norm.slope * length) + ROUNDER - ROUNDER;
}

/** Not below any contribution of a chunk whose frequency is at most `frequency` and whose length is at least `length`. */
export function contributionBound(weight: number, frequency: number, length: number, norm: LengthNorm): number {
  return contribution(weight, frequency, length, norm) + SCORE_STEP;
}

/** A weight may be at most this times an idf, so that sums stay exact. */
export const QUERY_WEIGHT_MAX = 128;
