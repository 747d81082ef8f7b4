import { createHash } from 'node:crypto';

/**
 * A vector that depends on the text alone: each word and each of its three-letter parts adds to places that its hash
 * names (feature hashing, Weinberger et al. 2009), so that texts with common words or stems lie close.
 */
export function wordVector(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(vector, word, 1);
    for (let at = 0; at + 3 <= word.length; at++) add(vector, `#${word.slice(at, at + 3)}`, 0.3);
  }
  if (!vector.some((value) => value !== 0)) vector[0] = 1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function add(vector: number[], feature: string, weight: number): void {
  const hash = createHash('sha256').update(feature).digest();
  const place = hash.readUInt32LE(0) % vector.length;
  vector[place]! += (hash[4]! & 1) === 0 ? weight : -weight;
}

/** Share of the question's words that the text has. */
export function wordOverlap(query: string, text: string): number {
  const words = (of: string) => new Set(of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const [asked, found] = [words(query), words(text)];
  return [...asked].filter((word) => found.has(word)).length / Math.max(1, asked.size);
}
