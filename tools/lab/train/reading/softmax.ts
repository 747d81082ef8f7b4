import type { Scorer, Weights } from '../../../../libs/reading/src/learned/linear-model.ts';
import { quantise } from './perceptron.ts';

const RATE = 0.1;
const DAMPING = 0.1;
const SHRINKAGE = 1e-5;
/** What is as good as certain teaches nothing. */
const GRADIENT_MIN = 1e-3;

/**
 * Logistic regression over hashed features, learned one example at a time with a rate of its own for each weight (AdaGrad,
 * Duchi, Hazan and Singer 2011). Where most words of the examples to come were never seen, it is more often right than a
 * perceptron, which gives frequent words all the weight that they can bear.
 */
export class Softmax implements Scorer {
  readonly bits: number;
  readonly classes: number;
  readonly mask: number;
  private readonly weights: Float32Array;
  private readonly squares: Float32Array;
  private readonly scores: Float32Array;

  constructor(bits: number, classes: number) {
    this.bits = bits;
    this.classes = classes;
    this.mask = 2 ** bits - 1;
    this.weights = new Float32Array(2 ** bits * classes);
    this.squares = new Float32Array(this.weights.length);
    this.scores = new Float32Array(classes);
  }

  score(rows: Int32Array, count: number): Float32Array {
    const { weights, scores, classes } = this;
    scores.fill(0);
    for (let i = 0; i < count; i++) {
      const at = rows[i]! * classes;
      for (let c = 0; c < classes; c++) scores[c]! += weights[at + c]!;
    }
    return scores;
  }

  /** Learns from one example whose scores were just computed. */
  update(truth: number, rows: Int32Array, count: number): void {
    const { weights, squares, scores, classes } = this;
    const most = Math.max(...scores);
    const shares = Float32Array.from(scores, (score) => Math.exp(score - most));
    const sum = shares.reduce((all, share) => all + share, 0);
    for (let c = 0; c < classes; c++) {
      const gradient = shares[c]! / sum - (c === truth ? 1 : 0);
      if (Math.abs(gradient) < GRADIENT_MIN) continue;
      for (let i = 0; i < count; i++) {
        const k = rows[i]! * classes + c;
        squares[k]! += gradient * gradient;
        weights[k]! -= RATE * (gradient / (DAMPING + Math.sqrt(squares[k]!)) + SHRINKAGE * weights[k]!);
      }
    }
  }

  quantised(scale: number, smallest: number): Weights {
    const { bits, classes, weights } = this;
    return { bits, classes, values: quantise(weights, scale, smallest) };
  }
}
