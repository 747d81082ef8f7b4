import { inverseFrequency } from '../src/text/rank.ts';
import { stemsOf } from '../src/text/words.ts';

/** A piece of a text and its position. */
interface Passage<T> {
  of: T;
  text: string;
  start: number;
}

const K1 = 1.2;
const B = 0.75;
const PASSAGE_CHARS = 900;

/** Splits texts at line ends into passages of about equal length. */
export function passagesOf<T extends { body: string }>(texts: readonly T[]): Passage<T>[] {
  return texts.flatMap((of) => {
    const passages: Passage<T>[] = [];
    let start = 0;
    let end = 0;
    for (const line of of.body.split('\n')) {
      if (end > start && end - start + line.length > PASSAGE_CHARS) {
        passages.push({ of, text: of.body.slice(start, end), start });
        start = end;
      }
      end += line.length + 1;
    }
    if (start < of.body.length) passages.push({ of, text: of.body.slice(start), start });
    return passages;
  });
}

/** Passages that contain a word of the query, ranked by BM25 (Robertson and Zaragoza 2009). */
export function rankPassages<T>(
  query: string,
  passages: readonly Passage<T>[],
): { passage: Passage<T>; score: number }[] {
  const wanted = new Set(stemsOf(query));
  const analysed: { passage: Passage<T>; counts: Map<string, number>; length: number }[] = [];
  for (const passage of passages) {
    const stems = stemsOf(passage.text);
    const counts = new Map<string, number>();
    for (const stem of stems) if (wanted.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    analysed.push({ passage, counts, length: stems.length });
  }
  const average = analysed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, analysed.length);
  const weights = new Map(
    [...wanted].map((stem) => [
      stem,
      inverseFrequency(analysed.filter(({ counts }) => counts.has(stem)).length, analysed.length),
    ]),
  );
  return analysed
    .map(({ passage, counts, length }) => {
      let score = 0;
      for (const [stem, count] of counts)
        score += (weights.get(stem)! * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / Math.max(1, average)));
      return { passage, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}
