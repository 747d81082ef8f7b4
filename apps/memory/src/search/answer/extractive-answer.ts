import { TITLE_SEPARATOR } from '@cairn/documents';
import { analyseQuery } from '../../text/analyse.ts';
import { contentStems, isUnspaced } from '../../text/content-stems.ts';
import { detectLanguage, UNKNOWN_LANGUAGE } from '../../text/detect-language.ts';
import { type Candidate, selectSentences, coverage } from './select-sentences.ts';
import { expandContext } from './expand-context.ts';
import { certaintyFeatures, certaintyOf } from './answer-certainty.ts';
import { clausesOf } from './clauses.ts';
import { locateWords } from './locate-words.ts';
import { withDifferingValues } from './differing-values.ts';
import { type OpenStep, openStepOf, takeStep } from './second-step.ts';
import { confidenceOf, passageCoverage, type ReadPassage } from './confidence.ts';
import type { CitedPassage, ComposedAnswer, Passage } from './passage.ts';
import { NOTHING_FOUND, piecesOf } from './pieces.ts';
import type { LearnedWeights } from './learned-features.ts';
import { LEARNED } from './learned-weights.ts';
import { type JudgedSpans, judgeSpans } from './span-features.ts';
import { createStatementReader, type AnswerStatement, type StatementReader } from './statement-reader.ts';
import { ANSWERING, type AnswerWeights } from './weights.ts';

/** Best passages that are read for an answer. */
export const ANSWER_DEPTH = 20;
const SENTENCES_MAX = 3;
const CLAUSE_SENTENCES_MAX = 2;
/** A sentence that has this share of the question answers it as completely as one can expect. */
const COMPLETE_SHARE_MIN = 0.9;
const OWN_STEMS_MIN = 2;
/**
 * Below it those whom the question names do not say it. On LoCoMo's development conversations .45 keeps quiet about
 * half of the questions that have no answer, and about one in eleven of those that have one.
 */
const ATTRIBUTED_MIN = 0.45;
/** A question with so few distinctive words asks for one thing, which one passage states … */
const ONE_STEP_STEMS_MAX = 5;
/**
 * … and has this share of them, each counted once. Set on HotpotQA's questions and questions asked of collections about
 * something else: half as many of these are answered, and no right answer over documentation is lost.
 */
const PASSAGE_SHARE_MIN = 0.6;
/**
 * Where no capitals show names and no judgement of sentences stands behind it, a passage must have nearly all that a
 * question of any length asks for, or it is about something beside it.
 */
const UNSPACED_SHARE_MIN = 0.85;
/** Stems that make a text a question and say nothing of what it asks for. */
const SCAFFOLD: ReadonlySet<string> = new Set(
  analyseQuery(
    'how many much get got give tell show explain describe know want need please say mean happen happened exactly currently',
    'en',
  ),
);
/** Here these ask for a time or a distance; elsewhere they mean something. */
const HOW = /\bhow (?:long|often|far|soon|late|early)\b/gi;
/** What a word of the earlier question counts in one that follows it. */
const CONTEXT_WEIGHT = 0.5;
const NOTHING: ReadonlySet<string> = new Set();
/** Whether an answer is right is judged by cues of English; elsewhere the words of the question decide. */
const JUDGED_LANGUAGES: ReadonlySet<string> = new Set(['en', UNKNOWN_LANGUAGE]);

/** The signs are those of passages that others compete with, which a memory of a few notes has not. */
const JUDGED_PASSAGES_MIN = 10;

interface ComposeOptions {
  /** Words of earlier questions that this one means. */
  context?: string;
  /** Remembers what it has read. */
  reader?: StatementReader;
  weights?: Readonly<AnswerWeights>;
  learned?: Readonly<LearnedWeights>;
}

/** Reads what the answer to a question will need of passages, while something else is waited for. */
export function readAhead(
  question: string,
  passages: readonly { chunkId: string; body: string }[],
  reader: StatementReader,
): void {
  const language = detectLanguage(question);
  for (const passage of passages.slice(0, ANSWER_DEPTH)) reader.read(passage, language);
}

/** An answer whose first step is taken. */
export interface DraftedAnswer {
  /** Null when nothing is open, or nothing is named that could tell it. */
  open: OpenStep | null;
  /** `further`: passages found for the open step; not among the first. */
  finish(further: readonly Passage[]): ComposedAnswer;
}

/** Answers from passages alone, in one go. */
export function composeExtractiveAnswer(
  question: string,
  passages: readonly Passage[],
  options?: ComposeOptions,
): ComposedAnswer {
  return beginExtractiveAnswer(question, passages, options).finish([]);
}

/**
 * Answers with sentences of the passages, each cited: the best first, then what belongs to it, in the order of its
 * source. Says that nothing answers when even the best sentence shares too little with the question, or when the
 * answer is more likely wrong than right.
 */
export function beginExtractiveAnswer(
  question: string,
  passages: readonly Passage[],
  options: ComposeOptions = {},
): DraftedAnswer {
  const { weights = ANSWERING, learned = LEARNED } = options;
  const draft = draftAnswer(question, passages, options);
  const nothing = (confidence: number) => ({
    text: NOTHING_FOUND,
    pieces: piecesOf(NOTHING_FOUND),
    cited: [],
    confidence,
  });
  const open =
    draft.attributed || draft.chosen.length === 0
      ? null
      : openStepOf(question, draft.language, draft.shown, draft.shares, weights);
  const finish = (further: readonly Passage[]): ComposedAnswer => {
    const shown = finishDraft(draft, open, further, options);
    const { spans, confidence } = draft;
    if (spans === null || !isJudged(draft, passages))
      return shown.length === 0 ? nothing(confidence) : { ...compose(sideBySide(shown, draft)), confidence };
    // What no sentence is fit for is at most as sure as what the judgement refuses.
    if (shown.length === 0) return nothing(rounded(confidence * learned.certaintyMin));
    const certainty = rounded(certaintyOf(certaintyFeatures({ ...draft, spans, shown }), learned.certainty));
    return certainty < learned.certaintyMin
      ? nothing(certainty)
      : { ...compose(sideBySide(shown, draft)), confidence: certainty };
  };
  return { open, finish };
}

/** What an answer may be made of, before it is known whether it will do. */
export interface AnswerDraft {
  question: string;
  language: string;
  /** Whether the question means words of earlier ones. */
  isFollowUp: boolean;
  /** Whether people said the passages, and the question names some of them. */
  attributed: boolean;
  shares: ReadonlyMap<string, number>;
  candidates: readonly Candidate[];
  /** Null for what people said, which is chosen by its words and speakers. */
  spans: JudgedSpans | null;
  /** The sentences that were chosen, the best first; none when nothing answers. */
  chosen: readonly Candidate[];
  /** The same with what a reader needs beside them. */
  shown: readonly Candidate[];
  confidence: number;
}

/** Chooses the sentences of an answer. */
export function draftAnswer(
  question: string,
  passages: readonly Passage[],
  { context = '', reader = createStatementReader(), weights = ANSWERING, learned = LEARNED }: ComposeOptions = {},
): AnswerDraft {
  const language = detectLanguage(question);
  const candidates = candidatesOf(passages.slice(0, ANSWER_DEPTH), language, reader);
  const meant = analyseQuery(context, language);
  const shares = sharesOf(distinctiveStems(question, language), meant, candidates);
  const best = candidates.reduce((most, candidate) => Math.max(most, coverage(candidate, shares, NOTHING, weights)), 0);
  const read = readPassages(candidates);
  const { value: confidence, attributed } = confidenceOf(question, shares, read, best);
  const found = attributed ? 1 : evidenceOf(best, shares, read);
  const gate = found >= weights.evidenceMin ? weights.hopCoverageMin : weights.coverageMin;
  const coverageMin = attributed ? weights.turnCoverageMin : gate;
  const isOthers = attributed && confidence < ATTRIBUTED_MIN;
  const spans = attributed ? null : judgeSpans(candidates, { question, language, shares }, learned.spans);
  const asked = { question, language, meant, shares, coverageMin, spans: valuesOf(candidates, spans) };
  const isAside = !attributed && meant.length === 0 && standsAside(question, [...shares.keys()], read);
  const chosen = isOthers || isAside ? [] : chooseByClauses(candidates, asked, weights);
  const complete = isComplete(chosen, shares, weights);
  const shown = expandContext(chosen, candidates, complete);
  const isFollowUp = meant.length > 0;
  return { question, language, isFollowUp, attributed, shares, candidates, spans, chosen, shown, confidence };
}

/** The sentences of the answer with its second step, if one is taken. */
export function finishDraft(
  draft: AnswerDraft,
  open: OpenStep | null,
  further: readonly Passage[],
  { reader = createStatementReader(), weights = ANSWERING }: ComposeOptions = {},
): readonly Candidate[] {
  const { question, candidates, chosen, shares, shown } = draft;
  if (open === null) return shown;
  const all = [...candidates, ...candidatesOf(further, draft.language, reader)];
  const step = takeStep(open, question, shown, all, weights);
  return step === null ? shown : expandContext(withStep(chosen, step), all, isComplete(chosen, shares, weights));
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}

function isJudged({ question, isFollowUp, language }: AnswerDraft, passages: readonly Passage[]): boolean {
  const isKnown = JUDGED_LANGUAGES.has(language) && !isUnspaced(question);
  return !isFollowUp && isKnown && passages.length >= JUDGED_PASSAGES_MIN;
}

function isComplete(
  chosen: readonly Candidate[],
  shares: ReadonlyMap<string, number>,
  weights: Readonly<AnswerWeights>,
): boolean {
  return chosen.length > 0 && coverage(chosen[0]!, shares, NOTHING, weights) >= COMPLETE_SHARE_MIN;
}

/** How far each candidate is behind the best. */
function valuesOf(candidates: readonly Candidate[], spans: JudgedSpans | null): Map<Candidate, number> | null {
  if (spans === null) return null;
  const best = spans.values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return new Map(candidates.map((candidate, at) => [candidate, spans.values[at]! - best]));
}

/** The second step stands right behind the first. */
function withStep(chosen: readonly Candidate[], step: Candidate): readonly Candidate[] {
  return [chosen[0]!, step, ...chosen.slice(1).filter((one) => one !== step)];
}

interface QuestionContext {
  question: string;
  language: string;
  /** Stems of earlier questions that this one means. */
  meant: readonly string[];
  /** Of the whole question with them. */
  shares: ReadonlyMap<string, number>;
  coverageMin: number;
  /** How far each sentence is behind the one that would begin the answer best; null when the words alone decide. */
  spans: ReadonlyMap<Candidate, number> | null;
}

/** Each question of the text gets its sentences; one that hardly has words of its own is read with all of them. */
function chooseByClauses(
  candidates: readonly Candidate[],
  { question, language, meant, shares, coverageMin, spans }: QuestionContext,
  weights: Readonly<AnswerWeights>,
): Candidate[] {
  const choose = (text: string, own: ReadonlyMap<string, number>, sentencesMax: number) =>
    selectSentences(candidates, { question: text, shares: own, coverageMin, sentencesMax, spans }, weights);
  const clauses = clausesOf(question);
  const chosen = new Set<Candidate>();
  if (clauses.length > 1) {
    const whole = distinctiveStems(question, language);
    for (const clause of clauses) {
      const own = distinctiveStems(clause, language);
      const context = own.length < OWN_STEMS_MIN ? [...whole, ...meant] : meant;
      const ownShares = sharesOf(own, context, candidates);
      for (const sentence of choose(clause, ownShares, CLAUSE_SENTENCES_MAX)) chosen.add(sentence);
    }
  }
  return chosen.size > 0 ? [...chosen] : choose(question, shares, SENTENCES_MAX);
}

/**
 * Whether no passage has enough of a short question's words, so that all that was found shares some of them and is
 * about something else. A longer question may take several passages.
 */
function standsAside(question: string, asked: readonly string[], passages: readonly ReadPassage[]): boolean {
  const unspaced = isUnspaced(question);
  if (asked.length > ONE_STEP_STEMS_MAX && !unspaced) return false;
  const shareMin = unspaced ? UNSPACED_SHARE_MIN : PASSAGE_SHARE_MIN;
  return passages.every(({ stems, titleStems }) => {
    const said = asked.filter((stem) => stems.has(stem) || titleStems.has(stem)).length;
    return said < asked.length * shareMin;
  });
}

/** The stems that say what is asked for. */
function distinctiveStems(question: string, language: string): string[] {
  const stems = contentStems(question.replace(HOW, 'how'), language);
  const distinctive = stems.filter((stem) => !SCAFFOLD.has(stem));
  return distinctive.length > 0 ? distinctive : stems;
}

function candidatesOf(passages: readonly Passage[], language: string, reader: StatementReader): Candidate[] {
  return passages.flatMap((passage, passageRank) => {
    const titleStems = reader.stemsOf(`${passage.title} ${passage.titlePath}`, language);
    const heading = reader.stemsOf(passage.titlePath.split(TITLE_SEPARATOR).at(-1) ?? '', language);
    const statements = reader.read(passage, language);
    const passageStems = stemsOfAll(statements);
    return statements.map(({ text, stems, words, signs }, position) => ({
      text,
      stems,
      words,
      signs,
      passage,
      passageRank,
      position,
      titleStems,
      heading,
      passageStems,
    }));
  });
}

/** Whether any of the statements has a stem, looked for once. */
function stemsOfAll(statements: readonly AnswerStatement[]): Pick<ReadonlySet<string>, 'has'> {
  const known = new Map<string, boolean>();
  return {
    has(stem) {
      const found = known.get(stem) ?? statements.some(({ stems }) => stems.has(stem));
      known.set(stem, found);
      return found;
    },
  };
}

/**
 * How much of the question the best sentence, the best passage and all passages together carry, on average. A question
 * that takes two steps has little in any one sentence, and all of it in what was found.
 */
function evidenceOf(best: number, shares: ReadonlyMap<string, number>, passages: readonly ReadPassage[]): number {
  let inPassage = 0;
  for (const passage of passages) inPassage = Math.max(inPassage, passageCoverage(passage, shares, NOTHING));
  let anywhere = 0;
  for (const [stem, share] of shares) if (passages.some(({ stems }) => stems.has(stem))) anywhere += share;
  return (best + inPassage + anywhere) / 3;
}

/** The passages with the stems of all their sentences. */
function readPassages(candidates: readonly Candidate[]): ReadPassage[] {
  return [...Map.groupBy(candidates, (candidate) => candidate.passage)].map(([passage, sentences]) => ({
    passage,
    stems: sentences[0]!.passageStems,
    titleStems: sentences[0]!.titleStems,
  }));
}

/** How much each of the question's words distinguishes here: rare ones more, normalised to a sum of 1. */
function sharesOf(
  asked: readonly string[],
  context: readonly string[],
  candidates: readonly Candidate[],
): Map<string, number> {
  const meant = context.filter((stem) => !asked.includes(stem) && !SCAFFOLD.has(stem));
  const raw = [...asked, ...meant].map((stem) => {
    let seen = 0;
    for (const { stems } of candidates) if (stems.has(stem)) seen += 1;
    const share = asked.includes(stem) ? 1 : CONTEXT_WEIGHT;
    return [stem, share * Math.log(1 + (candidates.length + 1) / (seen + 0.5))] as const;
  });
  const sum = raw.reduce((total, [, weight]) => total + weight, 0);
  return new Map(raw.map(([stem, weight]) => [stem, weight / (sum || 1)]));
}

/** The answer with the values beside its first that other sources give instead. What people said differs by who says it. */
function sideBySide(shown: readonly Candidate[], draft: AnswerDraft): readonly Candidate[] {
  if (draft.attributed || draft.isFollowUp) return shown;
  const stated = withDifferingValues(shown[0]!, draft.candidates, draft);
  return stated.length === 1 ? shown : [...stated, ...shown.filter((one) => !stated.includes(one))];
}

/** Behind a sentence, a source's own citation marks would be read as ours. */
const OWN_MARKS = /(?<=[.!?…]["”’')]?)(?: ?\[\d{1,3}\])+$/;

/** Behind the marks that end a sentence where words have no spaces, sentences have none either. */
const SPACED_END = /(?<=[。！？][」』）]?) /g;

/** Puts the sentences of one passage together, in their order; passages come as their first sentence was chosen. */
function compose(chosen: readonly Candidate[]): Omit<ComposedAnswer, 'confidence'> {
  const groups = [...Map.groupBy(chosen, (candidate) => candidate.passage.chunkId).values()];
  const cited: CitedPassage[] = [];
  const sentences = groups.flatMap((group, index) => {
    const texts = group.sort((a, b) => a.position - b.position).map(({ text }) => text);
    const { passage } = group[0]!;
    cited.push({ passage, snippet: texts.join(' ').replace(SPACED_END, ''), span: locateWords(passage.body, texts) });
    return texts.map((text) => `${text.replace(OWN_MARKS, '')} [${index + 1}]`);
  });
  const text = sentences.join(' ');
  return { text, pieces: piecesOf(text), cited };
}
