import { auc, disagreementFeatures, foldsByClaim, FOLDS, type SentencePair, wordsOf } from './sentence-disagreement.ts';

/** What a pair is scored by. */
interface LearnedFrom {
  signs: boolean;
  claimWords: boolean;
  evidenceWords: boolean;
}

type Features = [place: number, value: number][];

const DIMENSIONS = 1 << 16;
const SIGN_PLACES = 100;
const EPOCHS = 8;
const RATE = 0.3;
const RIDGE = 1e-4;

/**
 * AUC of a logistic regression over words (hashed, after Weinberger and others 2009; AdaGrad, Duchi and others 2011),
 * each claim scored by one that has not seen it. Says what knowing the matter is worth; the service learns nothing of it.
 */
export function learnedAuc(pairs: readonly SentencePair[], from: LearnedFrom): number {
  const folds = foldsByClaim(pairs);
  const features = pairs.map((pair) => featuresOf(pair, from));
  const scores = new Float64Array(pairs.length);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const weights = learn(
      pairs.flatMap((pair, at) =>
        folds[at] === fold ? [] : [{ features: features[at]!, label: Number(pair.refutes) }],
      ),
    );
    for (const [at, own] of folds.entries()) if (own === fold) scores[at] = sum(weights, features[at]!);
  }
  return auc(
    scores,
    pairs.map((pair) => pair.refutes),
  );
}

function featuresOf({ claim, evidence }: SentencePair, from: LearnedFrom): Features {
  const places = new Map<number, number>([[DIMENSIONS, 1]]);
  if (from.signs) for (const [at, value] of disagreementFeatures(claim, evidence).entries()) places.set(at, value);
  if (from.claimWords) for (const word of wordsOf(claim)) places.set(placeOf(`claim ${word}`), 1);
  if (from.evidenceWords) for (const word of wordsOf(evidence)) places.set(placeOf(`evidence ${word}`), 1);
  return [...places];
}

/** FNV-1a, below the places of the signs never. */
function placeOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return SIGN_PLACES + ((hash >>> 0) % (DIMENSIONS - SIGN_PLACES));
}

function learn(rows: readonly { features: Features; label: number }[]): Float64Array {
  const weights = new Float64Array(DIMENSIONS + 1);
  const squares = new Float64Array(DIMENSIONS + 1).fill(1e-6);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1)
    for (const { features, label } of rows) {
      const error = 1 / (1 + Math.exp(-sum(weights, features))) - label;
      for (const [place, value] of features) {
        const gradient = error * value + RIDGE * weights[place]!;
        squares[place]! += gradient * gradient;
        weights[place]! -= (RATE * gradient) / Math.sqrt(squares[place]!);
      }
    }
  return weights;
}

function sum(weights: Float64Array, features: Features): number {
  return features.reduce((total, [place, value]) => total + weights[place]! * value, 0);
}
