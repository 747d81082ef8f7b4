import { analyseQuery } from '../index/analysis/analyse.ts';
import { detectLanguage } from '../index/analysis/detect-language.ts';
import { splitSentences } from '../index/analysis/sentences.ts';
import { confidenceOf, type ReadPassage } from './confidence.ts';
import { suggestFollowups } from './followups.ts';
import type { CitedPassage, ComposedAnswer, Passage } from './passage.ts';
import { NOTHING_FOUND, piecesOf } from './pieces.ts';

const PASSAGES_READ_MAX = 20;
const SENTENCES_MAX = 3;
const SENTENCE_MAX_CHARS = 420;
const SENTENCE_MIN_CHARS = 12;
/** Share of the question's weight that the best sentence with its titles must carry; below it nothing answers. */
const COVERAGE_MIN = 0.4;
/** The same for turns of a conversation, which are short and mean what was said before. */
const TURN_COVERAGE_MIN = 0.15;
/**
 * Below it those whom the question names do not say it. On LoCoMo's development conversations .45 keeps quiet about
 * half of the questions that have no answer, and about one in eleven of those that have one.
 */
const ATTRIBUTED_MIN = 0.45;
/** A further sentence must add this share of the question's weight … */
const GAIN_MIN = 0.12;
/** … in a sentence about it, so with its titles it has this many of the question's words … */
const GAIN_WORDS_MIN = 2;
/** … or carry this share of what the first one carries, so that it supports or completes it. */
const SUPPORT_SHARE_MIN = 0.7;
/** Stems that make a text a question and say nothing of what it asks for. */
const SCAFFOLD: ReadonlySet<string> = new Set(
  analyseQuery(
    'how many much get got give tell show explain describe know want need please say mean happen happened exactly currently',
    'en',
  ),
);
/** What a passage's rank adds to its sentences, against a full coverage of 1. */
const RANK_WEIGHT = 0.35;
/** What words found only in the titles count, against those in the sentence itself. */
const TITLE_WEIGHT = 0.5;
const REDUNDANT_OVERLAP = 0.6;
/** What a word of the earlier question counts in one that follows it. */
const CONTEXT_WEIGHT = 0.5;

interface Candidate {
  passage: Passage;
  passageRank: number;
  position: number;
  text: string;
  stems: ReadonlySet<string>;
  titleStems: ReadonlySet<string>;
  score: number;
}

/**
 * Answers with sentences of the passages: chosen greedily for what they add to the question's words
 * (maximal marginal relevance, Carbonell and Goldstein 1998), given in the order of their sources, each
 * cited. Says that nothing answers when even the best sentence shares too little with the question. `context` are words
 * of earlier questions that this one means.
 */
export function composeExtractiveAnswer(question: string, passages: readonly Passage[], context = ''): ComposedAnswer {
  const language = detectLanguage(question);
  const stems = analyseQuery(question, language);
  const telling = stems.filter((stem) => !SCAFFOLD.has(stem));
  const asked = telling.length > 0 ? telling : stems;
  const candidates = candidatesOf(passages.slice(0, PASSAGES_READ_MAX), language);
  const weights = weightsOf(asked, analyseQuery(context, language), candidates);
  const best = candidates.reduce((most, candidate) => Math.max(most, coverage(candidate, weights, NOTHING)), 0);
  const { value: confidence, attributed } = confidenceOf(question, weights, readPassages(candidates), best);
  const coverageMin = attributed ? TURN_COVERAGE_MIN : COVERAGE_MIN;
  const chosen = attributed && confidence < ATTRIBUTED_MIN ? [] : choose(candidates, weights, coverageMin);
  if (chosen.length === 0)
    return { text: NOTHING_FOUND, pieces: piecesOf(NOTHING_FOUND), cited: [], followups: [], confidence };
  return { ...compose(chosen, question, passages), confidence };
}

function candidatesOf(passages: readonly Passage[], language: string): Candidate[] {
  return passages.flatMap((passage, passageRank) => {
    const titleStems = new Set(analyseQuery(`${passage.title} ${passage.titlePath}`, language));
    return statementsOf(passage.body).map((text, position) => ({
      passage,
      passageRank,
      position,
      text,
      stems: new Set(analyseQuery(text, language)),
      titleStems,
      score: 0,
    }));
  });
}

/** The passages with the stems of all their sentences. */
function readPassages(candidates: readonly Candidate[]): ReadPassage[] {
  return [...Map.groupBy(candidates, (candidate) => candidate.passage)].map(([passage, sentences]) => ({
    passage,
    stems: new Set(sentences.flatMap((sentence) => [...sentence.stems])),
    titleStems: sentences[0]!.titleStems,
  }));
}

/** Sentences of running text; list items and table rows stand for themselves. */
function statementsOf(body: string): string[] {
  return body
    .split(/\n+/)
    .flatMap((line) => {
      const item = /^\s*(?:[-*+]|\d{1,3}\.)\s+(.*)$/.exec(line)?.[1];
      const plain = item ?? line;
      return splitSentences(plain).map((sentence) => sentence.text);
    })
    .filter((text) => text.length >= SENTENCE_MIN_CHARS)
    .map((text) =>
      text.length <= SENTENCE_MAX_CHARS ? text : text.slice(0, text.lastIndexOf(' ', SENTENCE_MAX_CHARS)),
    );
}

/** How much each of the question's words tells here: rare ones more, normalised to a sum of 1. */
function weightsOf(
  asked: readonly string[],
  context: readonly string[],
  candidates: readonly Candidate[],
): Map<string, number> {
  const meant = context.filter((stem) => !asked.includes(stem) && !SCAFFOLD.has(stem));
  const raw = [...asked, ...meant].map((stem) => {
    const seen = candidates.filter((candidate) => candidate.stems.has(stem)).length;
    const share = asked.includes(stem) ? 1 : CONTEXT_WEIGHT;
    return [stem, share * Math.log(1 + (candidates.length + 1) / (seen + 0.5))] as const;
  });
  const sum = raw.reduce((total, [, weight]) => total + weight, 0);
  return new Map(raw.map(([stem, weight]) => [stem, weight / (sum || 1)]));
}

const NOTHING: ReadonlySet<string> = new Set();

function choose(
  candidates: readonly Candidate[],
  weights: ReadonlyMap<string, number>,
  coverageMin: number,
): Candidate[] {
  const chosen: Candidate[] = [];
  const covered = new Set<string>();
  let first = 0;
  for (const candidate of candidates)
    candidate.score = coverage(candidate, weights, covered) + RANK_WEIGHT / (1 + candidate.passageRank);
  while (chosen.length < SENTENCES_MAX) {
    const rated = candidates
      .filter(
        (candidate) => !chosen.includes(candidate) && !chosen.some((other) => redundant(candidate, other, weights)),
      )
      .map((candidate) => {
        const gain = coverage(candidate, weights, covered);
        return { candidate, gain, value: gain + candidate.score * (chosen.length === 0 ? 1 : 0.5) };
      })
      .filter(
        ({ candidate, gain }) =>
          chosen.length === 0 ||
          (gain >= GAIN_MIN && carried(candidate, weights) >= GAIN_WORDS_MIN) ||
          coverage(candidate, weights, NOTHING) >= SUPPORT_SHARE_MIN * first,
      )
      .sort(
        (a, b) =>
          b.value - a.value ||
          a.candidate.passageRank - b.candidate.passageRank ||
          a.candidate.position - b.candidate.position,
      );
    const best = rated[0];
    if (best === undefined) break;
    if (chosen.length === 0 && best.gain < coverageMin) break;
    if (chosen.length === 0) first = coverage(best.candidate, weights, NOTHING);
    chosen.push(best.candidate);
    for (const stem of best.candidate.stems) covered.add(stem);
  }
  return chosen;
}

/** The share of the question that the sentence carries and that is not covered yet. */
function coverage(candidate: Candidate, weights: ReadonlyMap<string, number>, covered: ReadonlySet<string>): number {
  let sum = 0;
  for (const [stem, weight] of weights) {
    if (covered.has(stem)) continue;
    if (candidate.stems.has(stem)) sum += weight;
    else if (candidate.titleStems.has(stem)) sum += weight * TITLE_WEIGHT;
  }
  return sum;
}

/** How many of the question's words the sentence has with its titles. */
function carried(candidate: Candidate, weights: ReadonlyMap<string, number>): number {
  return [...weights.keys()].filter((stem) => candidate.stems.has(stem) || candidate.titleStems.has(stem)).length;
}

/** True when two sentences say the same beside the question's own words, which every good sentence shares. */
function redundant(a: Candidate, b: Candidate, weights: ReadonlyMap<string, number>): boolean {
  const newIn = (candidate: Candidate) => [...candidate.stems].filter((stem) => !weights.has(stem));
  const [left, right] = [newIn(a), newIn(b)];
  const shared = left.filter((stem) => b.stems.has(stem)).length;
  return shared >= Math.min(left.length, right.length) * REDUNDANT_OVERLAP;
}

function compose(
  chosen: readonly Candidate[],
  question: string,
  passages: readonly Passage[],
): Omit<ComposedAnswer, 'confidence'> {
  const ordered = [...chosen].sort((a, b) => a.passageRank - b.passageRank || a.position - b.position);
  const cited: CitedPassage[] = [];
  const numbers = new Map<string, number>();
  const sentences = ordered.map((candidate) => {
    let number = numbers.get(candidate.passage.chunkId);
    if (number === undefined) {
      cited.push({ passage: candidate.passage, snippet: candidate.text });
      number = cited.length;
      numbers.set(candidate.passage.chunkId, number);
    } else {
      const known = cited[number - 1]!;
      known.snippet = `${known.snippet} ${candidate.text}`;
    }
    return `${candidate.text} [${number}]`;
  });
  const text = sentences.join(' ');
  return { text, pieces: piecesOf(text), cited, followups: suggestFollowups(question, passages, cited) };
}
