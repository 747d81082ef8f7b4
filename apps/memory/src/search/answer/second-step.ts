import { analyseQuery } from '../../text/analyse.ts';
import { type AnswerType, expectedAnswerType, matchesAnswerType } from './expected-answer-type.ts';
import { type Candidate, coverage, nameOfTitle, namesTitle } from './select-sentences.ts';
import type { AnswerWeights } from './weights.ts';

/** What the best sentences leave open, and whom or what they name that may tell it. */
export interface OpenStep {
  /** Of the question's words, those that the best passage does not have, with the share that each is worth. */
  missing: ReadonlyMap<string, number>;
  /** Names that the best sentences bring and the question does not have; never empty. */
  names: readonly string[];
  /** What to search for: the names and the missing words. */
  query: string;
}

const NAMES_MAX = 6;
const NAME_MIN_CHARS = 4;
/** Capitalised words in a row, with the small ones that names have inside. */
const NAME =
  /\p{Lu}[\p{L}\p{M}\p{N}.'’-]*(?:\s(?:(?:of|the|and|for|in|de|la|le|du|des|del|von|van|der|und|et|y|&)\s){0,2}[\p{Lu}\p{N}][\p{L}\p{M}\p{N}.'’-]*){0,6}/gu;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Whether a question takes another step, and from where: a part of its words is not in the passage of the best
 * sentence, and the chosen sentences name what the question does not (iterative retrieval as in GoldEn Retriever, Qi
 * and others 2019, with names instead of a learned query).
 */
export function openStepOf(
  question: string,
  language: string,
  shown: readonly Candidate[],
  shares: ReadonlyMap<string, number>,
  weights: Readonly<AnswerWeights>,
): OpenStep | null {
  const first = shown[0];
  if (first === undefined) return null;
  const missing = new Map([...shares].filter(([stem]) => !first.passageStems.has(stem) && !first.titleStems.has(stem)));
  if (sum(missing.values()) < weights.openMin) return null;
  const names = namesIn(ofSource(shown), question);
  if (names.length === 0) return null;
  const words = question.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
  const open = words.filter((word) => analyseQuery(word, language).some((stem) => missing.has(stem)));
  return { missing, names, query: [...names, ...open].join(' ') };
}

/** The name of the best sentence's document, and those said in the sentences, in their order. */
function namesIn(shown: readonly Candidate[], question: string): string[] {
  const asked = question.toLowerCase();
  const found = shown.flatMap(({ text, passage }, index) => [
    ...(index === 0 ? [nameOfTitle(passage.title)] : []),
    ...[...text.matchAll(NAME)]
      // A word that begins a sentence is seldom a name.
      .filter(({ 0: name, index: at }) => at > 0 || name.includes(' '))
      .map(([name]) => name.replace(/(?<![.'’-])[.'’-]+$/, '')),
  ]);
  const isNew = (name: string) => name.length >= NAME_MIN_CHARS && !asked.includes(name.toLowerCase());
  return [...new Set(found.filter(isNew))].slice(0, NAMES_MAX);
}

/**
 * The sentence of another document that takes the step: it is in the document that a chosen sentence names, or has
 * one of the names, and states what was open. Null when there is none.
 */
export function takeStep(
  step: OpenStep,
  question: string,
  shown: readonly Candidate[],
  candidates: readonly Candidate[],
  weights: Readonly<AnswerWeights>,
): Candidate | null {
  const kind = expectedAnswerType(question);
  const from = ofSource(shown);
  const open = sum(step.missing.values());
  let best: Candidate | null = null;
  let highest = 0;
  for (const candidate of candidates) {
    if (candidate.passage.docId === shown[0]!.passage.docId) continue;
    const isNamed = from.some((other) => leadsTo(other, candidate, question));
    if (!isNamed && !step.names.some((name) => name.includes(' ') && candidate.text.includes(name))) continue;
    const covered = coverage(candidate, step.missing, NOTHING, { ...weights, title: 0 }) / open;
    const isLead = isNamed && candidate.position === 0;
    if (covered === 0 && !isLead) continue;
    const value =
      covered +
      (isLead ? weights.lead : 0) +
      (isNamed ? weights.bridge : 0) +
      kindWorth(kind, candidate, question, weights);
    if (value > highest) [best, highest] = [candidate, value];
  }
  return highest >= weights.stepMin ? best : null;
}

/** The sentences of the best one's passage: what others name leads away. */
function ofSource(shown: readonly Candidate[]): Candidate[] {
  return shown.filter(({ passage }) => passage.chunkId === shown[0]!.passage.chunkId);
}

function kindWorth(
  kind: AnswerType | null,
  { text }: Candidate,
  question: string,
  weights: Readonly<AnswerWeights>,
): number {
  return kind !== null && matchesAnswerType(kind, text, question) ? weights.kind : 0;
}

function leadsTo(from: Candidate, to: Candidate, question: string): boolean {
  return from.passage.docId !== to.passage.docId && namesTitle(from.text, to.passage.title, question);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
