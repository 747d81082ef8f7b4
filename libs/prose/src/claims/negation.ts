import type { ClaimWord } from './words.ts';

/** Words behind a claim's denial that it may be about: the verb may have another stem in the evidence. */
const CLAIM_REACH = 2;

/** Whether a claim denies what its evidence says, or says what the evidence denies. */
export function differsInNegation(
  claim: readonly ClaimWord[],
  evidence: readonly ClaimWord[],
  places: readonly (readonly number[])[],
): boolean {
  const denied = new Set(deniedIn(claim, CLAIM_REACH));
  const deniedThere = new Set(deniedIn(evidence, 1));
  return places.some((found, index) => {
    if (found.length === 0 || claim[index]!.isCue) return false;
    const isDenied = denied.has(index);
    // A word that stands in several places is denied in some of them.
    return (
      found.every((place) => deniedThere.has(place) !== isDenied) &&
      isCloselyDenied(isDenied, index, claim, found, evidence)
    );
  });
}

/** A denial that both have reaches further in one of them when it has fewer words between. */
function isCloselyDenied(
  isDenied: boolean,
  index: number,
  claim: readonly ClaimWord[],
  found: readonly number[],
  evidence: readonly ClaimWord[],
): boolean {
  if (isDenied) return !found.some((place) => hasCueBefore(evidence, place));
  return !hasCueBefore(claim, index);
}

const WIDE_REACH = 4;

function hasCueBefore(words: readonly ClaimWord[], index: number): boolean {
  return words.slice(Math.max(0, index - WIDE_REACH), index).some(({ isCue }) => isCue);
}

/** The places of the words behind a denial, up to the reach. */
function* deniedIn(words: readonly ClaimWord[], reach: number): Generator<number> {
  for (const [index, { isCue }] of words.entries())
    if (isCue) for (let next = index + 1; next <= index + reach && next < words.length; next += 1) yield next;
}
