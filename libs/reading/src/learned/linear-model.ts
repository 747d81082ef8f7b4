/** Scores classes from the rows of a feature table that a place of the text turns on. */
export interface Scorer {
  readonly classes: number;
  readonly mask: number;
  /** The sums of the first `count` rows, a number for each class; the array is used again by the next call. */
  score(rows: Int32Array, count: number): Int32Array | Float32Array;
}

/** A scorer that can leave out the classes that are not possible. */
export interface SelectiveScorer extends Scorer {
  /** The best of the candidates, of which there is at least one. */
  bestOf(rows: Int32Array, count: number, candidates: readonly number[]): number;
}

/** Weights as they are stored: 8 bits each, row by row. */
export interface Weights {
  bits: number;
  classes: number;
  values: Int8Array;
}

export function bestOf(scores: Int32Array | Float32Array, classes: number): number {
  let best = 0;
  for (let c = 1; c < classes; c++) if (scores[c]! > scores[best]!) best = c;
  return best;
}

export function bestAmong(scores: Int32Array | Float32Array, candidates: readonly number[]): number {
  let best = candidates[0]!;
  for (let i = 1; i < candidates.length; i++) if (scores[candidates[i]!]! > scores[best]!) best = candidates[i]!;
  return best;
}

/** For few classes: each row has all its weights side by side. */
export class DenseModel implements SelectiveScorer {
  readonly classes: number;
  readonly mask: number;
  private readonly values: Int8Array;
  private readonly scores: Int32Array;

  constructor(weights: Weights) {
    this.classes = weights.classes;
    this.mask = 2 ** weights.bits - 1;
    this.values = weights.values;
    this.scores = new Int32Array(weights.classes);
  }

  score(rows: Int32Array, count: number): Int32Array {
    const { values, scores, classes } = this;
    if (classes === 3) return this.scoreThree(rows, count);
    scores.fill(0);
    for (let i = 0; i < count; i++) {
      const at = rows[i]! * classes;
      for (let c = 0; c < classes; c++) scores[c]! += values[at + c]!;
    }
    return scores;
  }

  bestOf(rows: Int32Array, count: number, candidates: readonly number[]): number {
    const { values, classes } = this;
    let best = candidates[0]!;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < candidates.length; k++) {
      const c = candidates[k]!;
      let sum = 0;
      for (let i = 0; i < count; i++) sum += values[rows[i]! * classes + c]!;
      if (sum <= most) continue;
      most = sum;
      best = c;
    }
    return best;
  }

  private scoreThree(rows: Int32Array, count: number): Int32Array {
    const { values, scores } = this;
    let a = 0;
    let b = 0;
    let c = 0;
    for (let i = 0; i < count; i++) {
      const at = rows[i]! * 3;
      a += values[at]!;
      b += values[at + 1]!;
      c += values[at + 2]!;
    }
    scores[0] = a;
    scores[1] = b;
    scores[2] = c;
    return scores;
  }
}

/** A class in the low bits of an entry, its weight above them. */
const CLASS_BITS = 6;
const CLASS_MASK = 2 ** CLASS_BITS - 1;

/** For many classes, at most 64: each row lists only what is not nought. */
export class SparseModel implements Scorer {
  readonly classes: number;
  readonly mask: number;
  private readonly offsets: Int32Array;
  private readonly entries: Int16Array;
  private readonly scores: Int32Array;

  constructor({ bits, classes, values }: Weights) {
    if (classes > CLASS_MASK + 1) throw new RangeError(`${classes} classes are more than an entry holds`);
    this.classes = classes;
    this.mask = 2 ** bits - 1;
    this.scores = new Int32Array(classes);
    const rows = 2 ** bits;
    let entries = 0;
    for (let i = 0; i < values.length; i++) if (values[i] !== 0) entries++;
    this.offsets = new Int32Array(rows + 1);
    this.entries = new Int16Array(entries);
    let at = 0;
    for (let row = 0; row < rows; row++) {
      this.offsets[row] = at;
      for (let c = 0; c < classes; c++) {
        const value = values[row * classes + c]!;
        if (value === 0) continue;
        this.entries[at++] = (value << CLASS_BITS) | c;
      }
    }
    this.offsets[rows] = at;
  }

  score(rows: Int32Array, count: number): Int32Array {
    const { scores, offsets, entries } = this;
    scores.fill(0);
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      for (let k = offsets[row]!, end = offsets[row + 1]!; k < end; k++) {
        const entry = entries[k]!;
        scores[entry & CLASS_MASK]! += entry >> CLASS_BITS;
      }
    }
    return scores;
  }
}
