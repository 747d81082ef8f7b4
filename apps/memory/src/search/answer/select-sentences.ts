import { answerTypeTest, expectedAnswerType, hasNewName } from './expected-answer-type.ts';
import type { Passage } from './passage.ts';
import type { SentenceFeatures } from './sentence-features.ts';
import type { AnswerWeights } from './weights.ts';

/** A sentence that may become part of an answer. */
export interface Candidate {
  passage: Passage;
  passageRank: number;
  position: number;
  text: string;
  /** In their order. */
  stems: ReadonlySet<string>;
  /** The same as a list. */
  words: readonly string[];
  signs: SentenceFeatures;
  titleStems: ReadonlySet<string>;
  /** Of the last of the titles that it stands under. */
  heading: ReadonlySet<string>;
  /** Of the whole passage. */
  passageStems: Pick<ReadonlySet<string>, 'has'>;
}

/** What the sentences are chosen for. */
interface Wanted {
  question: string;
  /** Share of the question that each of its words is worth; the sum is 1. */
  shares: ReadonlyMap<string, number>;
  coverageMin: number;
  sentencesMax: number;
  /** How far each sentence is behind the one that would begin the answer best; null when the words alone decide. */
  spans: ReadonlyMap<Candidate, number> | null;
}

/** What gains one word alone is about something else more often than not. */
const GAIN_WORDS_MIN = 2;
const REDUNDANT_OVERLAP = 0.6;
/** Stems at the beginning of a sentence among which its subject is looked for. */
const SUBJECT_STEMS = 2;
/** What is known of the first sentence's worth in those after it. */
const FURTHER_WORTH = 0.5;
const EXPLAIN =
  /^(?:who|what|wer|was|qui|qu['’]est-ce que|qui[ée]n|qué)\s+(?:is|are|was|were|ist|sind|est|sont|es|son)\s|^what (?:do|does|did) .* do\W*$/iu;
const EXPLAINED_STEMS_MAX = 3;
/** A sentence with so many words beside the question's answers it as completely as one can expect. */
const NEWS_STEMS = 6;
const POINTER =
  /(?<!\p{L})(?:see|(?:is|are) (?:described|explained|listed|given|found) (?:in|on|at|under|below|above)|on the page (?:about|on)|for (?:more|details|further)|siehe|voir|véase)(?!\p{L})/iu;
/** Shorter titles are words more often than names. */
const BRIDGE_MIN_CHARS = 4;
const POINTER_MAX_CHARS = 160;
/** A table's row as text: `Class: Sev 1; Meaning: …`. */
const ROW = /^[^\s:;][^:;.]{0,40}: [^;]+; [^\s:;][^:;.]{0,40}: /;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Chooses sentences greedily for what they add to the question's words (maximal marginal relevance, Carbonell and
 * Goldstein 1998), and for signs that they tell what was asked for. The best comes first; none when even that one
 * carries too little of the question.
 */
export function selectSentences(
  candidates: readonly Candidate[],
  wanted: Wanted,
  weights: Readonly<AnswerWeights>,
): Candidate[] {
  const { question, shares, spans } = wanted;
  const news = candidates.map((candidate) => newStems(candidate, shares));
  // Where sentences are judged as spans, that judgement holds their worth.
  const worth = spans === null ? worthOf(candidates, wanted, news, weights) : null;
  const wholes = candidates.map((candidate) => coverage(candidate, shares, NOTHING, weights));
  const kind = expectedAnswerType(question);
  const isOfType = kind === null ? () => false : answerTypeTest(kind, question);
  const isOut = candidates.map(() => false);
  // What names nobody is no answer to “Who …?” where another sentence names somebody.
  const isNaming = candidates.map(({ text }) => kind === 'name' && spans !== null && isOfType(text));
  const wantsName = isNaming.some((names, at) => names && wholes[at]! >= wanted.coverageMin);
  const chosen: Candidate[] = [];
  const covered = new Set<string>();
  let first = 0;
  while (chosen.length < wanted.sentencesMax) {
    const bridged = bridgedBy(chosen, question);
    const best = bestOf(candidates.length, (at) => {
      if (isOut[at] === true) return null;
      const candidate = candidates[at]!;
      const whole = wholes[at]!;
      const span = spans?.get(candidate);
      if (chosen.length === 0) {
        const isMeant = whole >= wanted.coverageMin && (isNaming[at]! || !wantsName);
        return isMeant ? (span ?? whole + (worth?.[at] ?? 0)) : null;
      }
      const isBridge = bridged(candidate.passage) && (whole > 0 || isOfType(candidate.text));
      const bridge = isBridge ? weights.bridge : 0;
      if (!isBridge && whole < weights.furtherShareMin * first) return null;
      if (span !== undefined) {
        const isBehind =
          span < weights.spanMin || (ROW.test(candidate.text) && chosen.some((other) => isRowBeside(candidate, other)));
        if (!isBridge && isBehind) return null;
        return coverage(candidate, shares, covered, weights) * weights.spanGain + bridge + span * weights.span;
      }
      const gain = coverage(candidate, shares, covered, weights);
      const gains = gain >= weights.gainMin && carried(candidate, shares) >= GAIN_WORDS_MIN;
      if (!isBridge && !gains && whole < weights.supportShareMin * first) return null;
      return gain + bridge + FURTHER_WORTH * (whole + (worth?.[at] ?? 0));
    });
    if (best === null) break;
    const taken = candidates[best]!;
    if (chosen.length === 0) first = wholes[best]!;
    chosen.push(taken);
    for (const stem of taken.words) covered.add(stem);
    isOut[best] = true;
    for (const [at, own] of news.entries()) if (redundant(own, taken, news[best]!)) isOut[at] = true;
  }
  return chosen;
}

/** Another row of a table whose best row is chosen is about another thing. */
function isRowBeside(candidate: Candidate, chosen: Candidate): boolean {
  return chosen.passage.chunkId === candidate.passage.chunkId && ROW.test(chosen.text);
}

/** How many of the question's words a sentence has with its titles. */
function carried(candidate: Candidate, shares: ReadonlyMap<string, number>): number {
  return [...shares.keys()].filter((stem) => candidate.stems.has(stem) || candidate.titleStems.has(stem)).length;
}

/** The share of the question that a sentence carries and that is not covered yet. */
export function coverage(
  candidate: Candidate,
  shares: ReadonlyMap<string, number>,
  covered: ReadonlySet<string>,
  weights: Readonly<AnswerWeights>,
): number {
  let sum = 0;
  for (const [stem, share] of shares) {
    if (covered.has(stem)) continue;
    if (candidate.stems.has(stem)) sum += share;
    else if (candidate.titleStems.has(stem)) sum += share * weights.title;
  }
  return sum;
}

/** What speaks for each sentence beside the words that it covers. */
function worthOf(
  candidates: readonly Candidate[],
  { question, shares }: Wanted,
  news: readonly (readonly string[])[],
  weights: Readonly<AnswerWeights>,
): number[] {
  const kind = expectedAnswerType(question);
  // People are named where they talk to each other; a role that they mention says nothing of who is meant.
  const test = kind === null || kind === 'name' ? null : answerTypeTest(kind, question);
  const isOfType = (text: string) => (kind === 'name' ? hasNewName(text, question) : test?.(text) === true);
  const explained = EXPLAIN.test(question) && shares.size <= EXPLAINED_STEMS_MAX;
  return candidates.map((candidate, at) => {
    let worth = weights.rank / (1 + candidate.passageRank);
    for (const [stem, share] of shares)
      if (!candidate.stems.has(stem) && !candidate.titleStems.has(stem) && candidate.passageStems.has(stem))
        worth += share * weights.passage;
    worth += weights.news * Math.min(1, news[at]!.length / NEWS_STEMS);
    if (isOfType(candidate.text)) worth += weights.kind;
    if (explained && candidate.words.slice(0, SUBJECT_STEMS).some((stem) => shares.has(stem))) worth += weights.subject;
    if (candidate.text.length <= POINTER_MAX_CHARS && POINTER.test(candidate.text)) worth -= weights.pointer;
    return worth;
  });
}

/** The place of the one that is worth most; of equals the first. */
function bestOf(count: number, rate: (at: number) => number | null): number | null {
  let best: number | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at += 1) {
    const value = rate(at);
    if (value === null || value <= highest) continue;
    [best, highest] = [at, value];
  }
  return best;
}

/** True when a sentence says the same as a chosen one beside the question's own words, which every good one shares. */
function redundant(own: readonly string[], chosen: Candidate, ofChosen: readonly string[]): boolean {
  let shared = 0;
  for (const stem of own) if (chosen.stems.has(stem)) shared += 1;
  return shared >= Math.min(own.length, ofChosen.length) * REDUNDANT_OVERLAP;
}

/** The stems of a sentence that the question does not have. */
function newStems({ words }: Candidate, shares: ReadonlyMap<string, number>): string[] {
  return words.filter((stem) => !shares.has(stem));
}

/** Whether a chosen sentence names the document of a passage, and the question does not; read once a passage. */
function bridgedBy(chosen: readonly Candidate[], question: string): (passage: Passage) => boolean {
  const known = new Map<Passage, boolean>();
  return (passage) => {
    const found =
      known.get(passage) ??
      chosen.some(
        ({ passage: { docId }, text }) => docId !== passage.docId && namesTitle(text, passage.title, question),
      );
    known.set(passage, found);
    return found;
  };
}

/** Whether a text names a document by its title, and the question does not. */
export function namesTitle(text: string, title: string, question: string): boolean {
  const name = nameOfTitle(title);
  return name.length >= BRIDGE_MIN_CHARS && !names(question, name) && names(text, name);
}

/** A title without the brackets behind it, which distinguish titles and are not spoken. */
export function nameOfTitle(title: string): string {
  return title.replace(/(?<!\s)\s*\([^()]*\)$/, '');
}

/** Whether a text has a name as it is written, and not as a part of other words. */
function names(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const isWithin = (index: number) => /[\p{L}\p{N}]/u.test(text.charAt(index));
  return at >= 0 && !isWithin(at - 1) && !isWithin(at + name.length);
}
