import { feature } from '../learned/hash.ts';
import { bestAmong, bestOf, type Scorer } from '../learned/linear-model.ts';
import { type WordFeatures, wordAt } from '../learned/words.ts';

/** What stands for the tags before the first token. */
const START_1 = 60;
const START_2 = 61;

/**
 * Parts of speech (Penn Treebank), greedily from left to right, by an averaged perceptron over the words around and
 * the two tags before (Collins 2002; features after Ratnaparkhi 1996).
 */
export class Tagger {
  private readonly scorer: Scorer;
  private readonly rows = new Int32Array(32);

  constructor(scorer: Scorer) {
    this.scorer = scorer;
  }

  tag(words: readonly WordFeatures[]): Int32Array {
    const tags = new Int32Array(words.length);
    let before = START_1;
    let beforeThat = START_2;
    for (let i = 0; i < words.length; i++) {
      const candidates = words[i]!.tags;
      let tag: number;
      if (candidates !== null && candidates.length === 1) tag = candidates[0]!;
      else {
        const scores = this.scorer.score(this.rows, this.features(words, i, before, beforeThat));
        tag = candidates === null ? bestOf(scores, this.scorer.classes) : bestAmong(scores, candidates);
      }
      tags[i] = tag;
      beforeThat = before;
      before = tag;
    }
    return tags;
  }

  /** One pass over a sentence whose tags are known: `learn` gets the rows of each place. */
  train(words: readonly WordFeatures[], learn: (i: number, rows: Int32Array, count: number) => number): void {
    let before = START_1;
    let beforeThat = START_2;
    for (let i = 0; i < words.length; i++) {
      const tag = learn(i, this.rows, this.features(words, i, before, beforeThat));
      beforeThat = before;
      before = tag;
    }
  }

  private features(words: readonly WordFeatures[], i: number, t1: number, t2: number): number {
    const { rows: f } = this;
    const { mask } = this.scorer;
    const w = wordAt(words, i);
    const a = wordAt(words, i - 1);
    const b = wordAt(words, i - 2);
    const c = wordAt(words, i + 1);
    const d = wordAt(words, i + 2);
    f[0] = feature(0, 0, 0, 0, mask);
    f[1] = feature(1, w.id, 0, 0, mask);
    f[2] = feature(2, w.suffix3, 0, 0, mask);
    f[3] = feature(3, w.suffix2, 0, 0, mask);
    f[4] = feature(4, w.suffix4, 0, 0, mask);
    f[5] = feature(5, w.prefix2, 0, 0, mask);
    f[6] = feature(6, w.shape, i === 0 ? 1 : 0, 0, mask);
    f[7] = feature(7, w.suffix1, w.shape, 0, mask);
    f[8] = feature(8, t1, 0, 0, mask);
    f[9] = feature(9, t2, 0, 0, mask);
    f[10] = feature(10, t1, t2, 0, mask);
    f[11] = feature(11, t1, w.id, 0, mask);
    f[12] = feature(12, t1, w.suffix3, 0, mask);
    f[13] = feature(13, a.id, 0, 0, mask);
    f[14] = feature(14, b.id, 0, 0, mask);
    f[15] = feature(15, c.id, 0, 0, mask);
    f[16] = feature(16, d.id, 0, 0, mask);
    f[17] = feature(17, c.suffix3, 0, 0, mask);
    f[18] = feature(18, a.suffix3, 0, 0, mask);
    f[19] = feature(19, c.shape, w.shape, 0, mask);
    f[20] = feature(20, a.shape, w.shape, 0, mask);
    f[21] = feature(21, a.id, w.id, 0, mask);
    f[22] = feature(22, w.id, c.id, 0, mask);
    f[23] = feature(23, t1, c.id, 0, mask);
    f[24] = feature(24, w.entry & 127, w.kind, w.capital, mask);
    f[25] = feature(25, c.suffix2, w.suffix2, 0, mask);
    f[26] = feature(26, w.prefix3, w.suffix3, 0, mask);
    return 27;
  }
}
