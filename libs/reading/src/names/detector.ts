import { feature } from '../learned/hash.ts';
import { bestOf, type Scorer } from '../learned/linear-model.ts';
import { type WordFeatures, wordAt } from '../learned/words.ts';

export const OUTSIDE = 0;
export const BEGIN = 1;
export const INSIDE = 2;
const START_1 = 60;
const START_2 = 61;
const RUN_MAX = 7;
const LINKS = new Set(['of', 'and', 'the', '&']);

/**
 * Where names are: begin, inside or outside for each token, greedily from left to right. Beside words and parts of
 * speech it sees what the lists know, and the last word of the run of capitals that a word is in (after Ratinov and
 * Roth 2009).
 */
export class NameDetector {
  private readonly scorer: Scorer;
  private readonly rows = new Int32Array(64);
  private quoted: Int32Array = new Int32Array(0);

  constructor(scorer: Scorer) {
    this.scorer = scorer;
  }

  /** `quoted`: what `quotations` says of the words. */
  detect(words: readonly WordFeatures[], tags: Int32Array, known: Int32Array, quoted: Int32Array): Int32Array {
    const marks = new Int32Array(words.length);
    this.quoted = quoted;
    let before = START_1;
    let beforeThat = START_2;
    for (let i = 0; i < words.length; i++) {
      let mark = OUTSIDE;
      if (words[i]!.nameLike || before === BEGIN || before === INSIDE) {
        const count = this.features(words, tags, known, i, before, beforeThat);
        mark = bestOf(this.scorer.score(this.rows, count), this.scorer.classes);
      }
      marks[i] = mark;
      beforeThat = before;
      before = mark;
    }
    return marks;
  }

  train(
    words: readonly WordFeatures[],
    tags: Int32Array,
    known: Int32Array,
    quoted: Int32Array,
    learn: (i: number, rows: Int32Array, count: number) => number,
  ): void {
    this.quoted = quoted;
    let before = START_1;
    let beforeThat = START_2;
    for (let i = 0; i < words.length; i++) {
      const mark = learn(i, this.rows, this.features(words, tags, known, i, before, beforeThat));
      beforeThat = before;
      before = mark;
    }
  }

  private features(
    words: readonly WordFeatures[],
    tags: Int32Array,
    known: Int32Array,
    i: number,
    t1: number,
    t2: number,
  ): number {
    const { rows: f } = this;
    const { mask } = this.scorer;
    const w = wordAt(words, i);
    const a = wordAt(words, i - 1);
    const b = wordAt(words, i - 2);
    const c = wordAt(words, i + 1);
    const d = wordAt(words, i + 2);
    const p = (k: number) => (k < 0 ? 70 : k >= words.length ? 71 : tags[k]!);
    const g = (k: number) => known[k] ?? 0;
    f[0] = feature(0, t1, 0, 0, mask);
    f[1] = feature(1, t1, t2, 0, mask);
    f[2] = feature(2, w.id, 0, 0, mask);
    f[3] = feature(3, w.id, t1, 0, mask);
    f[4] = feature(4, w.shape, t1, 0, mask);
    f[5] = feature(5, w.suffix3, t1, 0, mask);
    f[6] = feature(6, w.suffix2, 0, 0, mask);
    f[7] = feature(7, w.suffix4, 0, 0, mask);
    f[8] = feature(8, w.prefix3, 0, 0, mask);
    f[9] = feature(9, w.prefix2, 0, 0, mask);
    f[10] = feature(10, a.id, 0, 0, mask);
    f[11] = feature(11, b.id, 0, 0, mask);
    f[12] = feature(12, c.id, 0, 0, mask);
    f[13] = feature(13, d.id, 0, 0, mask);
    f[14] = feature(14, a.id, t1, 0, mask);
    f[15] = feature(15, c.id, t1, 0, mask);
    f[16] = feature(16, a.shape, w.shape, c.shape, mask);
    f[17] = feature(17, w.shape, c.shape, t1, mask);
    f[18] = feature(18, a.suffix3, 0, 0, mask);
    f[19] = feature(19, c.suffix3, t1, 0, mask);
    f[20] = feature(20, p(i), t1, 0, mask);
    f[21] = feature(21, p(i - 1), p(i), 0, mask);
    f[22] = feature(22, p(i), p(i + 1), t1, mask);
    f[23] = feature(23, p(i - 1), p(i), p(i + 1), mask);
    f[24] = feature(24, g(i), t1, 0, mask);
    f[25] = feature(25, g(i), g(i + 1), t1, mask);
    f[26] = feature(26, g(i - 1), g(i), t1, mask);
    f[27] = feature(27, g(i), w.shape, i === 0 ? 1 : 0, mask);
    f[28] = feature(28, g(i + 1), c.shape, t1, mask);
    f[29] = feature(29, g(i), a.id, 0, mask);
    f[30] = feature(30, g(i), c.id, 0, mask);
    f[31] = feature(31, a.id, b.id, w.shape, mask);
    f[32] = feature(32, c.id, d.id, w.shape, mask);
    f[33] = feature(33, g(i + 1), g(i + 2), t1, mask);
    f[34] = feature(34, c.suffix4, w.shape, 0, mask);
    let count = 35;
    const quoted = this.quoted[i]!;
    if (quoted !== 0) {
      f[count++] = feature(35, quoted, t1, 0, mask);
      f[count++] = feature(36, quoted, w.shape, t1, mask);
      f[count++] = feature(37, quoted, p(i), t1, mask);
    }
    return w.capital === 1 ? this.run(words, tags, known, i, t1, count) : count;
  }

  /** Features of the run of capitalised words that the word is in. */
  private run(
    words: readonly WordFeatures[],
    tags: Int32Array,
    known: Int32Array,
    i: number,
    t1: number,
    from: number,
  ): number {
    const { rows: f } = this;
    const { mask } = this.scorer;
    const p = (k: number) => (k < 0 ? 70 : k >= words.length ? 71 : tags[k]!);
    const g = (k: number) => known[k] ?? 0;
    const w = wordAt(words, i);
    let end = i;
    while (end + 1 < words.length && end - i < RUN_MAX && continues(words, end + 1)) end++;
    let start = i;
    while (start > 0 && i - start < RUN_MAX && words[start - 1]!.capital === 1) start--;
    const last = wordAt(words, end);
    const after = wordAt(words, end + 1);
    const before = wordAt(words, start - 1);
    let k = from;
    f[k++] = feature(40, last.id, 0, 0, mask);
    f[k++] = feature(41, last.suffix3, t1, 0, mask);
    f[k++] = feature(42, g(end), t1, 0, mask);
    f[k++] = feature(43, after.id, t1, 0, mask);
    f[k++] = feature(44, p(end + 1), wordAt(words, end + 2).id, 0, mask);
    f[k++] = feature(45, Math.min(4, end - i), t1, w.shape, mask);
    f[k++] = feature(46, g(end), g(i), 0, mask);
    f[k++] = feature(47, before.id, 0, 0, mask);
    f[k++] = feature(48, before.id, wordAt(words, start - 2).id, 0, mask);
    f[k++] = feature(49, p(start - 1), p(end + 1), 0, mask);
    f[k++] = feature(50, g(start), t1, 0, mask);
    f[k++] = feature(51, after.id, wordAt(words, end + 2).id, 0, mask);
    return k;
  }
}

function continues(words: readonly WordFeatures[], i: number): boolean {
  const word = words[i]!;
  return word.capital === 1 || (LINKS.has(word.lower) && wordAt(words, i + 1).capital === 1);
}
