import {
  type AnswerDraft,
  beginExtractiveAnswer,
  draftAnswer,
  finishDraft,
} from '../../../../apps/memory/src/search/answer/extractive-answer.ts';
import { certaintyFeatures, certaintyOf } from '../../../../apps/memory/src/search/answer/answer-certainty.ts';
import {
  CERTAINTY_FEATURES,
  type LearnedWeights,
  SPAN_FEATURES,
  WEIGHT_UNIT,
} from '../../../../apps/memory/src/search/answer/learned-features.ts';
import { createStatementReader } from '../../../../apps/memory/src/search/answer/statement-reader.ts';
import { fitLogistic, fitRanking, type JudgedRow, type RankedGroup } from './fit-weights.ts';
import {
  isAnswerable,
  isRight,
  type Judge,
  statesAnswer,
  type TrainingQuestion,
  type TrainingSet,
} from './training-set.ts';

const RANKING_PENALTY = 0.006;
const CERTAINTY_PENALTY = 0.06;
/** What a question about something else counts against one of the collection's own. */
const STRANGER_WEIGHT = 0.3;
/** With it about one answer in seven is wrong on collections that were left out; the report says what others would do. */
const CERTAINTY_MIN = 0.45;

const THRESHOLDS = [0, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6];

type Outcome = 'right' | 'wrong' | 'abstained';

interface Judged {
  set: string;
  isStranger: boolean;
  isAnswerable: boolean;
  /** What the answer is when it is not held back. */
  outcome: Outcome;
  features: number[] | null;
  certainty: number;
}

/** Fits the weights to all sets; the report says what each set's questions get from weights fitted without it. */
export function trainAnswers(sets: readonly TrainingSet[], scorer: Judge): { weights: LearnedWeights; report: string } {
  const groups = new Map(sets.map((set) => [set.name, rankedGroups(set, scorer)]));
  const judged: Judged[] = [];
  for (const left of sets) {
    const others = sets.filter((set) => set !== left);
    judged.push(...judge(left, spanWeights(others, groups), scorer));
  }
  // Certainty is fitted to what left-out spans answered, or it would know the answers it is to doubt.
  for (const left of sets) {
    const weights = certaintyWeights(judged.filter(({ set }) => set !== left.name));
    for (const one of judged) if (one.set === left.name) one.certainty = certainty(one, weights);
  }
  const spans = spanWeights(sets, groups);
  const all = certaintyWeights(judged);
  return {
    weights: { spans, certainty: all, certaintyMin: CERTAINTY_MIN },
    report: reportOf(sets, judged),
  };
}

const NO_CERTAINTY = {
  ...(Object.fromEntries(CERTAINTY_FEATURES.map((name) => [name, 0])) as LearnedWeights['certainty']),
  bias: 0,
};

function rankedGroups({ own }: TrainingSet, scorer: Judge): RankedGroup[] {
  const flat = Object.fromEntries(SPAN_FEATURES.map((name) => [name, 0])) as LearnedWeights['spans'];
  const learned = { spans: flat, certainty: NO_CERTAINTY, certaintyMin: 0 };
  const reader = createStatementReader();
  return own.filter(isAnswerable).flatMap((question) => {
    const { candidates, spans } = draftAnswer(question.question, question.passages, { learned, reader });
    const good = candidates.map(({ text }) => statesAnswer(text, question, scorer));
    return spans !== null && good.includes(true) ? [{ features: spans.features, good, weight: 1 }] : [];
  });
}

/** A large collection counts more than a small one, by the root of its size. */
function spanWeights(
  sets: readonly TrainingSet[],
  groups: ReadonlyMap<string, readonly RankedGroup[]>,
): LearnedWeights['spans'] {
  const all = sets.flatMap(({ name }) => {
    const own = groups.get(name)!;
    return own.map((group) => ({ ...group, weight: 1 / Math.sqrt(own.length) }));
  });
  const fitted = fitRanking(all, RANKING_PENALTY);
  return Object.fromEntries(
    SPAN_FEATURES.map((name, at) => [name, thousandths(fitted[at]!)]),
  ) as LearnedWeights['spans'];
}

function judge({ name, own, strangers }: TrainingSet, spans: LearnedWeights['spans'], scorer: Judge): Judged[] {
  const learned = { spans, certainty: NO_CERTAINTY, certaintyMin: 0 };
  const reader = createStatementReader();
  const judgeOne = (question: TrainingQuestion, isStranger: boolean): Judged => {
    const options = { learned, reader };
    const answerable = !isStranger && isAnswerable(question);
    const begun = beginExtractiveAnswer(question.question, question.passages, options);
    const draft = draftAnswer(question.question, question.passages, options);
    const shown = finishDraft(draft, begun.open, question.further, options);
    const answer = begun.finish(question.further);
    const outcome: Outcome =
      answer.cited.length === 0
        ? 'abstained'
        : answerable && isRight(answer.text, question, scorer)
          ? 'right'
          : 'wrong';
    const features = featuresOf(draft, shown);
    return { set: name, isStranger, isAnswerable: answerable, outcome, features, certainty: 1 };
  };
  return [
    ...own.map((question) => judgeOne(question, false)),
    ...strangers.map((question) => judgeOne(question, true)),
  ];
}

function featuresOf(draft: AnswerDraft, shown: AnswerDraft['shown']): number[] | null {
  return draft.spans === null || shown.length === 0 ? null : certaintyFeatures({ ...draft, spans: draft.spans, shown });
}

function certaintyWeights(judged: readonly Judged[]): LearnedWeights['certainty'] {
  const sizes = Map.groupBy(judged, ({ set }) => set);
  const rows = judged.flatMap(({ set, features, outcome, isStranger }): JudgedRow[] =>
    features === null || outcome === 'abstained'
      ? []
      : [
          {
            features,
            good: outcome === 'right',
            weight: (isStranger ? STRANGER_WEIGHT : 1) / Math.sqrt(sizes.get(set)!.length),
          },
        ],
  );
  const fitted = fitLogistic(rows, CERTAINTY_PENALTY);
  const named = [...CERTAINTY_FEATURES, 'bias'].map((name, at) => [name, thousandths(fitted[at]!)]);
  return Object.fromEntries(named) as LearnedWeights['certainty'];
}

function certainty({ features }: Judged, weights: LearnedWeights['certainty']): number {
  return features === null ? 1 : certaintyOf(features, weights);
}

function thousandths(value: number): number {
  return Math.round(value * WEIGHT_UNIT);
}

function reportOf(sets: readonly TrainingSet[], judged: readonly Judged[]): string {
  const lines = ['left out           right wrong abstained of | about something else: answered of'];
  const line = (name: string, of: readonly Judged[], min: number) => {
    const own = of.filter(({ isStranger }) => !isStranger);
    const strangers = of.filter(({ isStranger }) => isStranger);
    const count = (outcome: Outcome) => own.filter((one) => outcomeAt(one, min) === outcome).length / own.length;
    const answered = strangers.filter((one) => outcomeAt(one, min) === 'wrong').length;
    const shares = [count('right'), count('wrong'), count('abstained')].map((share) => share.toFixed(3));
    return `${name.padEnd(18)} ${shares.join(' ')} ${own.length} | ${answered} ${strangers.length}`;
  };
  for (const { name } of sets)
    lines.push(
      line(
        name,
        judged.filter(({ set }) => set === name),
        CERTAINTY_MIN,
      ),
    );
  for (const min of THRESHOLDS) lines.push(line(`all, at ${min}`, judged, min));
  return lines.join('\n');
}

/** Of a question that nothing answers only silence is right. */
function outcomeAt({ outcome, certainty: likely, isAnswerable: answerable, isStranger }: Judged, min: number): Outcome {
  const held = outcome === 'abstained' || likely < min ? 'abstained' : outcome;
  return held === 'abstained' && !answerable && !isStranger ? 'right' : held;
}
