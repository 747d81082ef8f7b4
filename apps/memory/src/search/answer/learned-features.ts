/** What a sentence is judged by when one is chosen to begin an answer; the weights are in `learned-weights.ts`. */
export const SPAN_FEATURES = [
  'inText',
  'inTextSquared',
  'inHeading',
  'inTitles',
  'inNeighbours',
  'inPassage',
  'topRank',
  'logRank',
  'score',
  'textByRank',
  'first',
  'logPosition',
  'termShare',
  'termPrecision',
  'governed',
  'governingPrecision',
  'governingCoverage',
  'headingPrecision',
  'headingPrecisionFirst',
  'subject',
  'news',
  'length',
  'short',
  'adjacent',
  'pointer',
  'question',
  'anaphor',
  'symbols',
  'versionNote',
  'hasTerm',
  'numberKind',
  'timeKind',
  'nameKind',
  'counted',
  'identifierName',
  'identifierTerm',
  'identifierNoun',
  'definitionWords',
  'definitionSubject',
  'definitionFirst',
  'definitionHeading',
  'definitionTerm',
  'effectTerm',
  'effectFirst',
  'effectHeading',
  'stepsName',
  'stepsWords',
  'stepsTerm',
  'defaultWord',
  'defaultValue',
  'reasonWord',
  'shapeCode',
  'shapeNumber',
  'shapeName',
] as const;
export type SpanFeature = (typeof SPAN_FEATURES)[number];

/** The place of each feature in a row of them. */
export const SPAN_AT: Readonly<Record<SpanFeature, number>> = Object.fromEntries(
  SPAN_FEATURES.map((feature, at) => [feature, at]),
) as Record<SpanFeature, number>;

/** What distinguishes a right answer from a wrong one; the weights are in `learned-weights.ts`. */
export const CERTAINTY_FEATURES = [
  'value',
  'logShare',
  'margin',
  'documentMargin',
  'inText',
  'adjacent',
  'headingPrecision',
  'governingPrecision',
  'termPrecision',
  'rank',
  'wordsInPassage',
  'weightInPassage',
  'wordsInBestPassage',
  'weightInBestPassage',
  'wordsShown',
  'weightShown',
  'questionLength',
  'sameDocument',
  'fewPassages',
  'typeMissing',
  'typed',
  'nameMissing',
  'shaped',
  'shapeMissing',
  'definition',
  'effect',
  'identifier',
  'steps',
  'yesNo',
  'other',
] as const;
export type CertaintyFeature = (typeof CERTAINTY_FEATURES)[number];

/** Weights are kept as integers, of which so many are one. */
export const WEIGHT_UNIT = 1_000;

/** What each sign counts, in thousandths. */
export interface LearnedWeights {
  /** For a sentence that may begin the answer. */
  spans: Record<SpanFeature, number>;
  /** For an answer to be right. */
  certainty: Record<CertaintyFeature | 'bias', number>;
  /** Below this likelihood of being right nothing is answered. */
  certaintyMin: number;
}
