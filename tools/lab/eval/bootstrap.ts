const ROUNDS = 10_000;

/**
 * Share of resamples of the questions in which the gain is not above zero: the one-sided p of a paired bootstrap
 * (Efron and Tibshirani 1993; Sakai 2006 for retrieval). Seeded, so that a run can be repeated.
 */
export function pairedBootstrap(ours: readonly number[], theirs: readonly number[]): number {
  const gains = ours.map((figure, index) => figure - theirs[index]!);
  const random = seededRandom(42);
  let notAbove = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let sum = 0;
    for (let drawn = 0; drawn < gains.length; drawn++) sum += gains[Math.floor(random() * gains.length)]!;
    if (sum <= 0) notAbove += 1;
  }
  return notAbove / ROUNDS;
}

/** Marsaglia's xorshift with 32 bits. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
