import { feature } from '../learned/hash.ts';
import { bestOf, type SelectiveScorer } from '../learned/linear-model.ts';
import type { WordFeatures } from '../learned/words.ts';

const TAG_BEFORE = 80;
const TAG_ROOT = 81;

/** What the labeller has to know of the tags by their number. */
interface TagKinds {
  isVerb: boolean[];
  isCase: boolean[];
}

export function tagKinds(tags: readonly string[]): TagKinds {
  return {
    isVerb: tags.map((tag) => tag.startsWith('VB') || tag === 'MD'),
    isCase: tags.map((tag) => tag === 'IN' || tag === 'TO' || tag === 'POS'),
  };
}

/** The labels that a pair of tags and a direction have in the treebank; others are not tried. */
export function arcKey(headTag: number, tag: number, headFirst: boolean): number {
  return (headTag * 100 + tag) * 2 + (headFirst ? 1 : 0);
}

/** A label of Universal Dependencies for each arc of a tree, one by one. */
export class Labeller {
  private readonly scorer: SelectiveScorer;
  private readonly kinds: TagKinds;
  private readonly candidates: ReadonlyMap<number, readonly number[]>;
  private readonly rows = new Int32Array(32);

  constructor(scorer: SelectiveScorer, kinds: TagKinds, candidates: ReadonlyMap<number, readonly number[]>) {
    this.scorer = scorer;
    this.kinds = kinds;
    this.candidates = candidates;
  }

  label(words: readonly WordFeatures[], tags: Int32Array, heads: Int32Array): Int32Array {
    const children = childrenOf(heads);
    const labels = new Int32Array(words.length);
    for (let d = 0; d < words.length; d++) {
      const h = heads[d]!;
      const possible = this.candidates.get(arcKey(h < words.length ? tags[h]! : TAG_ROOT, tags[d]!, h < d));
      if (possible?.length === 1) {
        labels[d] = possible[0]!;
        continue;
      }
      const count = this.features(words, tags, heads, children, d);
      labels[d] =
        possible === undefined
          ? bestOf(this.scorer.score(this.rows, count), this.scorer.classes)
          : this.scorer.bestOf(this.rows, count, possible);
    }
    return labels;
  }

  train(
    words: readonly WordFeatures[],
    tags: Int32Array,
    heads: Int32Array,
    learn: (d: number, rows: Int32Array, count: number) => void,
  ): void {
    const children = childrenOf(heads);
    for (let d = 0; d < words.length; d++) learn(d, this.rows, this.features(words, tags, heads, children, d));
  }

  private features(
    words: readonly WordFeatures[],
    tags: Int32Array,
    heads: Int32Array,
    children: readonly number[][],
    d: number,
  ): number {
    const f = this.rows;
    const { mask } = this.scorer;
    const n = words.length;
    const h = heads[d]!;
    const word = (i: number) => (i < 0 ? 1 : i >= n ? 2 : words[i]!.id);
    const tag = (i: number) => (i < 0 ? TAG_BEFORE : i >= n ? TAG_ROOT : tags[i]!);
    const right = h < d ? 1 : 2;
    const distance = Math.min(5, Math.abs(h - d));
    const [wd, pd, wh, ph] = [word(d), tag(d), word(h), tag(h)];
    const own = children[d]!;
    const siblings = h < n ? children[h]! : [];
    const first = own.length > 0 ? own[0]! : -1;
    const last = own.length > 0 ? own.at(-1)! : -1;
    let [auxiliary, before, after, preposition] = [-1, 0, 0, -1];
    for (const x of siblings) {
      if (x < h && this.kinds.isVerb[tags[x]!] === true) auxiliary = x;
      if (x < d && x > h) after++;
      if (x < d && x < h) before++;
    }
    for (const x of own) if (preposition < 0 && x < d && this.kinds.isCase[tags[x]!] === true) preposition = x;
    f[0] = feature(0, pd, ph, right, mask);
    f[1] = feature(1, wd, right, ph, mask);
    f[2] = feature(2, wh, right, pd, mask);
    f[3] = feature(3, wd, wh, right, mask);
    f[4] = feature(4, pd, right, distance, mask);
    f[5] = feature(5, ph, pd, distance * 4 + right, mask);
    f[6] = feature(6, word(first), pd, ph * 4 + right, mask);
    f[7] = feature(7, tag(first), tag(last), pd, mask);
    f[8] = feature(8, word(preposition), ph, pd, mask);
    f[9] = feature(9, tag(d - 1), pd, tag(d + 1), mask);
    f[10] = feature(10, tag(h - 1), ph, tag(h + 1), mask);
    f[11] = feature(11, word(auxiliary), tag(auxiliary), ph * 4 + right, mask);
    f[12] = feature(12, pd, after, right * 100 + ph, mask);
    f[13] = feature(13, pd, before, right * 100 + ph, mask);
    f[14] = feature(14, words[d]!.suffix3, ph, right, mask);
    f[15] = feature(15, h < n ? words[h]!.suffix3 : 0, pd, right, mask);
    f[16] = feature(16, word(d - 1), pd, right, mask);
    f[17] = feature(17, word(d + 1), pd, right, mask);
    f[18] = feature(18, pd, ph, word(first), mask);
    f[19] = feature(19, right, tag(last), pd * 100 + ph, mask);
    f[20] = feature(20, word(auxiliary), wh, right * 100 + pd, mask);
    f[21] = feature(21, Math.min(12, siblings.length), pd, ph * 4 + right, mask);
    f[22] = feature(22, word(h - 1), ph * 4 + right, pd, mask);
    f[23] = feature(23, h < n ? tag(heads[h]!) : 83, ph, pd * 4 + right, mask);
    f[24] = feature(24, word(preposition), wh, right, mask);
    f[25] = feature(25, d > 0 && h < d ? word(h + 1) : 0, ph, pd, mask);
    return 26;
  }
}

function childrenOf(heads: Int32Array): number[][] {
  const children: number[][] = Array.from(heads, () => []);
  for (let d = 0; d < heads.length; d++) if (heads[d]! < heads.length && heads[d]! >= 0) children[heads[d]!]!.push(d);
  return children;
}
