import { feature } from '../learned/hash.ts';
import type { Scorer } from '../learned/linear-model.ts';
import type { WordFeatures } from '../learned/words.ts';

const SHIFT = 0;
const LEFT = 1;
const RIGHT = 2;
export const IMPOSSIBLE = 1e9;

/** What stands for a place outside the sentence: a word and a tag of its own for each side and for the root. */
const WORD_BEFORE = 1;
const WORD_ROOT = 2;
const WORD_AFTER = 4;
const TAG_BEFORE = 80;
const TAG_ROOT = 81;
const TAG_AFTER = 82;

/** A parser's state: a stack, the first word of the buffer, and what has been attached so far. */
export class ParseState {
  readonly length: number;
  readonly stack: Int32Array;
  readonly heads: Int32Array;
  readonly firstLeft: Int32Array;
  readonly secondLeft: Int32Array;
  readonly firstRight: Int32Array;
  readonly secondRight: Int32Array;
  readonly leftCount: Int32Array;
  readonly rightCount: Int32Array;
  depth = 0;
  buffer = 0;

  constructor(length: number) {
    this.length = length;
    this.stack = new Int32Array(length + 1);
    this.heads = new Int32Array(length).fill(-1);
    const rows = new Int32Array((length + 1) * 4).fill(-1);
    const size = length + 1;
    this.firstLeft = rows.subarray(0, size);
    this.secondLeft = rows.subarray(size, 2 * size);
    this.firstRight = rows.subarray(2 * size, 3 * size);
    this.secondRight = rows.subarray(3 * size);
    this.leftCount = new Int32Array(size);
    this.rightCount = new Int32Array(size);
  }

  get done(): boolean {
    return this.buffer >= this.length && this.depth === 0;
  }

  legal(action: number): boolean {
    if (action === SHIFT) return this.buffer < this.length;
    if (action === LEFT) return this.depth > 0 && (this.buffer < this.length || this.depth === 1);
    return this.depth > 1;
  }

  apply(action: number): void {
    if (action === SHIFT) {
      this.stack[this.depth++] = this.buffer++;
      return;
    }
    const dependent = this.stack[--this.depth]!;
    const head = action === LEFT ? this.buffer : this.stack[this.depth - 1]!;
    this.heads[dependent] = head;
    const [first, second, count] =
      action === LEFT
        ? [this.firstLeft, this.secondLeft, this.leftCount]
        : [this.firstRight, this.secondRight, this.rightCount];
    second[head] = first[head]!;
    first[head] = dependent;
    count[head] = Math.min(5, count[head]! + 1);
  }
}

/**
 * Heads of words, greedily, by the arc-hybrid transitions (Kuhlmann, Gómez-Rodríguez and Satta 2011), trained with a
 * dynamic oracle (Goldberg and Nivre 2013). The root is one more word after the last.
 */
export class Parser {
  private readonly scorer: Scorer;
  private readonly rows = new Int32Array(64);

  constructor(scorer: Scorer) {
    this.scorer = scorer;
  }

  /** The head of each word; the number of words stands for the root. */
  heads(words: readonly WordFeatures[], tags: Int32Array): Int32Array {
    const state = new ParseState(words.length);
    while (!state.done) {
      const scores = this.scorer.score(this.rows, this.features(state, words, tags));
      let best = -1;
      for (let action = 0; action < 3; action++)
        if (state.legal(action) && (best < 0 || scores[action]! > scores[best]!)) best = action;
      state.apply(best);
    }
    return state.heads;
  }

  score(state: ParseState, words: readonly WordFeatures[], tags: Int32Array) {
    const count = this.features(state, words, tags);
    return { scores: this.scorer.score(this.rows, count), rows: this.rows, count };
  }

  private features(state: ParseState, words: readonly WordFeatures[], tags: Int32Array): number {
    const { stack, depth, buffer, length } = state;
    const s0 = depth > 0 ? stack[depth - 1]! : -1;
    const s1 = depth > 1 ? stack[depth - 2]! : -1;
    const s2 = depth > 2 ? stack[depth - 3]! : -1;
    const word = (i: number) =>
      i < 0 ? WORD_BEFORE : i < length ? words[i]!.id : i === length ? WORD_ROOT : WORD_AFTER;
    const tag = (i: number) => (i < 0 ? TAG_BEFORE : i < length ? tags[i]! : i === length ? TAG_ROOT : TAG_AFTER);
    const [w0, p0, w1, p1] = [word(s0), tag(s0), word(s1), tag(s1)];
    const [wb, pb, wb1, pb1, pb2] = [word(buffer), tag(buffer), word(buffer + 1), tag(buffer + 1), tag(buffer + 2)];
    const count = this.near(w0, p0, w1, p1, wb, pb, wb1, pb1, pb2, word(buffer + 2), tag(s2));
    return this.attached(state, s0, s1, word, tag, count, words, tags);
  }

  /** Features of the words on top of the stack and at the front of the buffer. */
  private near(
    w0: number,
    p0: number,
    w1: number,
    p1: number,
    wb: number,
    pb: number,
    wb1: number,
    pb1: number,
    pb2: number,
    wb2: number,
    p2: number,
  ): number {
    const f = this.rows;
    const { mask } = this.scorer;
    f[0] = feature(0, w0, p0, 0, mask);
    f[1] = feature(1, w0, 0, 0, mask);
    f[2] = feature(2, p0, 0, 0, mask);
    f[3] = feature(3, w1, p1, 0, mask);
    f[4] = feature(4, w1, 0, 0, mask);
    f[5] = feature(5, p1, 0, 0, mask);
    f[6] = feature(6, wb, pb, 0, mask);
    f[7] = feature(7, wb, 0, 0, mask);
    f[8] = feature(8, pb, 0, 0, mask);
    f[9] = feature(9, wb1, pb1, 0, mask);
    f[10] = feature(10, pb1, 0, 0, mask);
    f[11] = feature(11, pb2, wb2, 0, mask);
    f[12] = feature(12, w0, wb, 0, mask);
    f[13] = feature(13, w0, pb, p0, mask);
    f[14] = feature(14, p0, wb, pb, mask);
    f[15] = feature(15, p0, pb, 0, mask);
    f[16] = feature(16, w0, w1, 0, mask);
    f[17] = feature(17, w1, p0, p1, mask);
    f[18] = feature(18, w0, p1, p0, mask);
    f[19] = feature(19, p0, p1, 0, mask);
    f[20] = feature(20, p0, pb, pb1, mask);
    f[21] = feature(21, p1, p0, pb, mask);
    f[22] = feature(22, p2, p1, p0, mask);
    f[23] = feature(23, pb, pb1, pb2, mask);
    f[24] = feature(24, p1, pb, wb, mask);
    f[25] = feature(25, wb, wb1, 0, mask);
    f[26] = feature(26, p0, pb, wb1, mask);
    f[27] = feature(27, w0, pb, pb1, mask);
    f[28] = feature(28, w1, wb, p0, mask);
    return 29;
  }

  /** Features of what has been attached to those words, and of the distances between them. */
  private attached(
    state: ParseState,
    s0: number,
    s1: number,
    word: (i: number) => number,
    tag: (i: number) => number,
    from: number,
    words: readonly WordFeatures[],
    tags: Int32Array,
  ): number {
    const f = this.rows;
    const { mask } = this.scorer;
    const { buffer: b, firstLeft, firstRight, secondLeft, secondRight, leftCount, rightCount, length } = state;
    let k = from;
    const [w0, p0, w1, p1, wb, pb] = [word(s0), tag(s0), word(s1), tag(s1), word(b), tag(b)];
    const at = (list: Int32Array, i: number) => (i < 0 || i > length ? -1 : list[i]!);
    const left0 = at(firstLeft, s0);
    const right0 = at(firstRight, s0);
    const right1 = at(firstRight, s1);
    const leftB = at(firstLeft, b);
    const gap = s0 < 0 ? 0 : Math.min(6, b - s0);
    const gap1 = s1 < 0 ? 0 : Math.min(6, s0 - s1);
    f[k++] = feature(30, p0, tag(left0), pb, mask);
    f[k++] = feature(31, p0, tag(right0), pb, mask);
    f[k++] = feature(32, p0, pb, tag(leftB), mask);
    f[k++] = feature(33, p1, p0, tag(right1), mask);
    f[k++] = feature(34, p1, p0, tag(left0), mask);
    f[k++] = feature(35, p1, p0, tag(at(firstLeft, s1)), mask);
    f[k++] = feature(36, p1, p0, tag(right0), mask);
    f[k++] = feature(37, w0, gap, 0, mask);
    f[k++] = feature(38, p0, gap, pb, mask);
    f[k++] = feature(39, w1, gap1, p0, mask);
    f[k++] = feature(40, p1, p0, gap1, mask);
    f[k++] = feature(41, w0, at(rightCount, s0), 0, mask);
    f[k++] = feature(42, p0, at(rightCount, s0), at(leftCount, s0), mask);
    f[k++] = feature(43, pb, at(leftCount, b), p0, mask);
    f[k++] = feature(44, p1, at(rightCount, s1), p0, mask);
    f[k++] = feature(45, w0, word(left0), 0, mask);
    f[k++] = feature(46, w0, word(right0), pb, mask);
    f[k++] = feature(47, word(left0), p0, pb, mask);
    f[k++] = feature(48, word(right1), p1, p0, mask);
    f[k++] = feature(49, word(left0), w1, p0, mask);
    f[k++] = feature(50, tag(at(secondLeft, s0)), tag(left0), p0, mask);
    f[k++] = feature(51, tag(at(secondRight, s0)), tag(right0), p0, mask);
    f[k++] = feature(52, tag(at(secondRight, s1)), tag(right1), p1, mask);
    f[k++] = feature(53, tag(at(secondLeft, b)), tag(leftB), pb, mask);
    f[k++] = feature(54, wb, word(leftB), p0, mask);
    f[k++] = feature(55, s0 < 0 ? 9 : words[s0]!.suffix3, pb, p0, mask);
    f[k++] = feature(56, b >= length ? 9 : words[b]!.suffix3, p0, pb, mask);
    f[k++] = feature(57, s0 > 0 ? tags[s0 - 1]! : 79, p0, pb, mask);
    f[k++] = feature(58, p1, word(left0), p0, mask);
    return k;
  }
}

/** What each action would lose of the tree that is known (Goldberg and Nivre 2013). */
export function oracleCosts(state: ParseState, gold: Int32Array): [number, number, number] {
  const { stack, depth, buffer, length } = state;
  const costs: [number, number, number] = [IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE];
  const s0 = depth > 0 ? stack[depth - 1]! : -1;
  const s1 = depth > 1 ? stack[depth - 2]! : -1;
  if (state.legal(SHIFT)) {
    let cost = 0;
    for (let i = 0; i < depth; i++) {
      if (gold[stack[i]!] === buffer) cost++;
      if (i < depth - 1 && gold[buffer] === stack[i]) cost++;
    }
    costs[SHIFT] = cost;
  }
  if (s0 < 0) return costs;
  let dependents = 0;
  for (let d = buffer; d < length; d++) if (gold[d] === s0) dependents++;
  const head = gold[s0]!;
  if (state.legal(LEFT)) costs[LEFT] = dependents + (s1 >= 0 && head === s1 ? 1 : 0) + (head > buffer ? 1 : 0);
  if (state.legal(RIGHT)) costs[RIGHT] = dependents + (head >= buffer ? 1 : 0);
  return costs;
}
