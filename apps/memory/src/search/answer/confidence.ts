import { analyseQuery } from '../../text/analyse.ts';
import { namesSpeaker, speakerOf } from '../ranking/speaker.ts';
import type { Passage } from './passage.ts';

/** A passage with the stems of its text and of its titles. */
export interface ReadPassage {
  passage: Passage;
  stems: Pick<ReadonlySet<string>, 'has'>;
  titleStems: ReadonlySet<string>;
}

/** What a word found only in the titles counts. */
const TITLE_WEIGHT = 0.5;

/**
 * How sure it is that the passages answer the question, 0 to 1. For texts: how much of the question the best one
 * carries. For what somebody said: how much better those whom the question names say it than others do, because a
 * question that takes one person's words for another's finds its words, but in the wrong mouth (`attributed`).
 */
export function confidenceOf(
  question: string,
  weights: ReadonlyMap<string, number>,
  passages: readonly ReadPassage[],
  bestSentence: number,
): { value: number; attributed: boolean } {
  const asked = new Set(analyseQuery(question, 'en'));
  const said = passages.map((one) => ({ one, speaker: speakerOf(one.passage.body) }));
  const speakers = new Set(said.map(({ speaker }) => speaker).filter((speaker) => speaker !== null));
  const named = [...speakers].filter((speaker) => namesSpeaker(asked, speaker));
  if (named.length === 0) return { value: bounded(bestSentence), attributed: false };
  const names = new Set(named.flatMap((name) => analyseQuery(name, 'en')));
  const best = (of: typeof said) =>
    of.reduce((most, { one }) => Math.max(most, passageCoverage(one, weights, names)), 0);
  const byNamed = best(said.filter(({ speaker }) => speaker !== null && named.includes(speaker)));
  const byOthers = best(said.filter(({ speaker }) => speaker === null || !named.includes(speaker)));
  return { value: bounded((1 + byNamed - byOthers) / 2), attributed: true };
}

function bounded(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;
}

/** Share of the question's weight, without the names, that a passage carries. */
export function passageCoverage(
  one: Pick<ReadPassage, 'stems' | 'titleStems'>,
  weights: ReadonlyMap<string, number>,
  names: ReadonlySet<string>,
): number {
  let carried = 0;
  let sum = 0;
  for (const [stem, weight] of weights) {
    if (names.has(stem)) continue;
    sum += weight;
    if (one.stems.has(stem)) carried += weight;
    else if (one.titleStems.has(stem)) carried += TITLE_WEIGHT * weight;
  }
  return sum === 0 ? 0 : carried / sum;
}
