import { sameWord, type ClaimWord } from './words.ts';

/** A word that a claim shares with its evidence, and that each of them has once. */
export interface SharedWord {
  inClaim: number;
  inEvidence: number;
}

/** By each word of a claim, the places of its forms in the evidence. */
export function placesIn(claim: readonly ClaimWord[], evidence: readonly ClaimWord[]): number[][] {
  return claim.map((word) => evidence.flatMap((other, index) => (sameWord(word, other) ? [index] : [])));
}

/** The shared words that stand in one place only, in the order of the claim. */
export function sharedOnce(places: readonly (readonly number[])[]): SharedWord[] {
  const taken = new Map<number, number>();
  for (const [only] of places) if (only !== undefined) taken.set(only, (taken.get(only) ?? 0) + 1);
  return places.flatMap((found, inClaim) =>
    found.length === 1 && taken.get(found[0]!) === 1 ? [{ inClaim, inEvidence: found[0]! }] : [],
  );
}
