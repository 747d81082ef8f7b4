/** A claim, a sentence that may speak of it, and whether it refutes the claim. */
export interface SentencePair {
  claimId: string;
  claim: string;
  evidence: string;
  refutes: boolean;
}

const NEGATION =
  /^(?:no|not|never|none|nor|nothing|nobody|without|cannot|neither|hardly|barely|unlikely|fail\w*|lack\w*|stop\w*|halted)$|n['’]t$/;
const RISING =
  /^(?:increas|ris|rose|grow|grew|gain|expand|higher|more|warm|hot|accelerat|strengthen|worsen|above|greater|up|rapid|fast|exceed)/;
const FALLING =
  /^(?:decreas|fall|fell|declin|shrink|shrank|los[est]|loss|lower|less|cool|cold|slow|weaken|reduc|below|down|diminish|recover|pause|drop)/;
const ABSOLUTE =
  /^(?:always|never|all|every|only|entirely|completely|pro(?:of|ve[sdn]?)|nothing|none|no|any|impossible|certain\w*|simply|just|merely|false|wrong|claim\w*)$/;
const NEGATED_VERB = /\b(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could) (?:not|no)\b|n['’]t\b/i;
const SMALL = new Set(
  'a an and are as at be by for from has have in is it its of on or that the their they this to was were will with'.split(
    ' ',
  ),
);
const LENGTH_UNIT = 60;

/** What two sentences show by rules alone: shared words, negation, opposite directions, numbers, absolute words. */
export function disagreementFeatures(claim: string, evidence: string): number[] {
  const [a, b] = [wordsOf(claim), wordsOf(evidence)];
  const [stems, others] = [stemsOf(a), stemsOf(b)];
  const shared = [...stems].filter((stem) => others.has(stem)).length;
  const negated = [a.some((word) => NEGATION.test(word)), b.some((word) => NEGATION.test(word))];
  const clash = opposite(directionOf(a), directionOf(b));
  const numbers = [a.filter((word) => /\d/.test(word)), b.filter((word) => /\d/.test(word))];
  const measured = numbers[0]!.length > 0 && numbers[1]!.length > 0;
  return [
    shared / Math.max(1, Math.min(stems.size, others.size)),
    1 - shared / Math.max(1, stems.size),
    Number(negated[0] !== negated[1]),
    Number(negated[0]),
    Number(negated[1]),
    Number(clash),
    Number(measured && !numbers[0]!.some((number) => numbers[1]!.includes(number))),
    Number(measured),
    Number(a.some((word) => ABSOLUTE.test(word))),
    Number(NEGATED_VERB.test(claim)),
    Math.min(LENGTH_UNIT, b.length) / LENGTH_UNIT,
  ];
}

/** Words in small letters, with numbers and percentages. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/’/g, "'")
      .match(/[\p{L}\p{N}]+(?:[.'-][\p{L}\p{N}]+)*%?/gu) ?? []
  );
}

function stemsOf(words: readonly string[]): Set<string> {
  return new Set(
    words.filter((word) => !SMALL.has(word)).map((word) => word.replace(/(?:ing|ed|es|s|ly|ations?|al)$/, '')),
  );
}

function directionOf(words: readonly string[]): number {
  return Number(words.some((word) => RISING.test(word))) - Number(words.some((word) => FALLING.test(word)));
}

function opposite(a: number, b: number): boolean {
  return a * b < 0;
}

export const FOLDS = 5;

/** The fold of each pair; those of one claim are in one. */
export function foldsByClaim(pairs: readonly SentencePair[]): number[] {
  return pairs.map(
    (pair) => [...pair.claimId].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7) % FOLDS,
  );
}

/** AUC of a logistic regression over the signs, each claim scored by a model that has not seen it. */
export function crossValidatedAuc(pairs: readonly SentencePair[]): number {
  const signs = pairs.map((pair) => disagreementFeatures(pair.claim, pair.evidence));
  const folds = foldsByClaim(pairs);
  const scores = new Float64Array(pairs.length);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const seen = pairs.flatMap((pair, at) =>
      folds[at] === fold ? [] : [{ signs: signs[at]!, label: Number(pair.refutes) }],
    );
    const score = fitLogistic(seen);
    for (const [at, own] of folds.entries()) if (own === fold) scores[at] = score(signs[at]!);
  }
  return auc(
    scores,
    pairs.map((pair) => pair.refutes),
  );
}

const STEPS = 300;
const RATE = 0.5;
const RIDGE = 1e-3;

function fitLogistic(
  rows: readonly { signs: readonly number[]; label: number }[],
): (signs: readonly number[]) => number {
  const count = rows[0]!.signs.length;
  const mean = Array.from({ length: count }, (_, k) => rows.reduce((sum, row) => sum + row.signs[k]!, 0) / rows.length);
  const spread = mean.map(
    (of, k) => Math.sqrt(rows.reduce((sum, row) => sum + (row.signs[k]! - of) ** 2, 0) / rows.length) || 1,
  );
  const weights = new Float64Array(count + 1);
  const valueOf = (signs: readonly number[]) =>
    signs.reduce((sum, sign, k) => sum + (weights[k]! * (sign - mean[k]!)) / spread[k]!, weights[count]!);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = new Float64Array(count + 1);
    for (const { signs, label } of rows) {
      const error = 1 / (1 + Math.exp(-valueOf(signs))) - label;
      for (let k = 0; k < count; k += 1) gradient[k]! += (error * (signs[k]! - mean[k]!)) / spread[k]!;
      gradient[count]! += error;
    }
    for (let k = 0; k <= count; k += 1)
      weights[k]! -= RATE * (gradient[k]! / rows.length + (k < count ? RIDGE * weights[k]! : 0));
  }
  return valueOf;
}

/** Chance that a pair that refutes has a higher score than one that does not; ties count half. */
export function auc(scores: ArrayLike<number>, positive: readonly boolean[]): number {
  const ordered = positive.map((is, at) => ({ is, score: scores[at]! })).sort((a, b) => a.score - b.score);
  const positives = positive.filter(Boolean).length;
  let ranks = 0;
  for (let from = 0; from < ordered.length;) {
    let to = from;
    while (to < ordered.length && ordered[to]!.score === ordered[from]!.score) to += 1;
    for (let at = from; at < to; at += 1) if (ordered[at]!.is) ranks += (from + 1 + to) / 2;
    from = to;
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (positive.length - positives));
}
