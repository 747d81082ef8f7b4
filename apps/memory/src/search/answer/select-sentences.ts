import { type AnswerType, expectedAnswerType, matchesAnswerType } from './expected-answer-type.ts';
import type { Passage } from './passage.ts';
import type { SentenceSigns } from './sentence-signs.ts';
import type { AnswerWeights } from './weights.ts';

/** A sentence that may become part of an answer. */
export interface Candidate {
  passage: Passage;
  passageRank: number;
  position: number;
  text: string;
  /** In their order. */
  stems: ReadonlySet<string>;
  signs: SentenceSigns;
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
/** A sentence with so many words beside the question's tells all that one may hope for. */
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
  const { shares } = wanted;
  const news = new Map(candidates.map((candidate) => [candidate, newStems(candidate, shares)]));
  // Where sentences are judged as spans, that judgement holds their worth.
  const worth = wanted.spans === null ? worthOf(candidates, wanted, news, weights) : null;
  const wholes = new Map(candidates.map((candidate) => [candidate, coverage(candidate, shares, NOTHING, weights)]));
  const kind = expectedAnswerType(wanted.question);
  const chosen: Candidate[] = [];
  const covered = new Set<string>();
  let first = 0;
  while (chosen.length < wanted.sentencesMax) {
    const best = bestOf(candidates, (candidate) => {
      if (chosen.includes(candidate) || chosen.some((other) => redundant(candidate, other, news))) return null;
      const whole = wholes.get(candidate)!;
      const span = wanted.spans?.get(candidate);
      if (chosen.length === 0)
        return whole < wanted.coverageMin ? null : (span ?? whole + (worth?.get(candidate) ?? 0));
      const gain = coverage(candidate, shares, covered, weights);
      const relevant = whole > 0 || (kind !== null && matchesAnswerType(kind, candidate.text, wanted.question));
      const bridge = relevant && bridges(candidate, chosen, wanted.question) ? weights.bridge : 0;
      if (bridge === 0 && whole < weights.furtherShareMin * first) return null;
      if (span !== undefined) {
        const isOut =
          span < weights.spanMin || (ROW.test(candidate.text) && chosen.some((other) => isRowBeside(candidate, other)));
        return bridge === 0 && isOut ? null : gain * weights.spanGain + bridge + span * weights.span;
      }
      const gains = gain >= weights.gainMin && carried(candidate, shares) >= GAIN_WORDS_MIN;
      if (bridge === 0 && !gains && whole < weights.supportShareMin * first) return null;
      return gain + bridge + FURTHER_WORTH * (whole + (worth?.get(candidate) ?? 0));
    });
    if (best === null) break;
    if (chosen.length === 0) first = wholes.get(best)!;
    chosen.push(best);
    for (const stem of best.stems) covered.add(stem);
  }
  return chosen;
}

/** Another row of a table whose best row is chosen tells of another thing. */
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
  news: NewStems,
  weights: Readonly<AnswerWeights>,
): Map<Candidate, number> {
  const kind: AnswerType | null = expectedAnswerType(question);
  const explained = EXPLAIN.test(question) && shares.size <= EXPLAINED_STEMS_MAX;
  return new Map(
    candidates.map((candidate) => {
      let worth = weights.rank / (1 + candidate.passageRank);
      for (const [stem, share] of shares)
        if (!candidate.stems.has(stem) && !candidate.titleStems.has(stem) && candidate.passageStems.has(stem))
          worth += share * weights.passage;
      worth += weights.news * Math.min(1, news.get(candidate)!.length / NEWS_STEMS);
      if (kind !== null && matchesAnswerType(kind, candidate.text, question)) worth += weights.kind;
      if (explained && [...candidate.stems].slice(0, SUBJECT_STEMS).some((stem) => shares.has(stem)))
        worth += weights.subject;
      if (candidate.text.length <= POINTER_MAX_CHARS && POINTER.test(candidate.text)) worth -= weights.pointer;
      return [candidate, worth];
    }),
  );
}

function bestOf(candidates: readonly Candidate[], rate: (candidate: Candidate) => number | null): Candidate | null {
  let best: Candidate | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  // Candidates come by rank and position, so that the earlier of two equals wins.
  for (const candidate of candidates) {
    const value = rate(candidate);
    if (value === null || value <= highest) continue;
    [best, highest] = [candidate, value];
  }
  return best;
}

/** True when two sentences say the same beside the question's own words, which every good sentence shares. */
function redundant(a: Candidate, b: Candidate, news: NewStems): boolean {
  const [left, right] = [news.get(a)!, news.get(b)!];
  const shared = left.filter((stem) => b.stems.has(stem)).length;
  return shared >= Math.min(left.length, right.length) * REDUNDANT_OVERLAP;
}

/** Stems of each sentence that the question does not have. */
type NewStems = ReadonlyMap<Candidate, readonly string[]>;

function newStems(candidate: Candidate, shares: ReadonlyMap<string, number>): string[] {
  return [...candidate.stems].filter((stem) => !shares.has(stem));
}

/** Whether a chosen sentence names the document of this one, and the question does not. */
function bridges(candidate: Candidate, chosen: readonly Candidate[], question: string): boolean {
  const { docId, title } = candidate.passage;
  return chosen.some((other) => other.passage.docId !== docId && namesTitle(other.text, title, question));
}

/** Whether a text names a document by its title, and the question does not. */
export function namesTitle(text: string, title: string, question: string): boolean {
  const name = nameOfTitle(title);
  return name.length >= BRIDGE_MIN_CHARS && !names(question, name) && names(text, name);
}

/** A title without what stands in brackets behind it, which tells titles apart and is not said. */
export function nameOfTitle(title: string): string {
  return title.replace(/(?<!\s)\s*\([^()]*\)$/, '');
}

/** Whether a text has a name as it is written, and not as a part of other words. */
function names(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const isWithin = (index: number) => /[\p{L}\p{N}]/u.test(text.charAt(index));
  return at >= 0 && !isWithin(at - 1) && !isWithin(at + name.length);
}
