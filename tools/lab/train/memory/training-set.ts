import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Passage } from '../../../../apps/memory/src/search/answer/passage.ts';

/** A question with what tells a right answer; nothing of it when nothing answers. */
export interface TestQuestion {
  question: string;
  /** Patterns of which a right answer has one; none when nothing answers. */
  right?: string[];
  /** Phrases that a right answer has all of. */
  all?: string[];
  /** A short answer, in whole words. */
  gold?: string;
}

/** A question with what a search found for it. */
export interface TrainingQuestion extends TestQuestion {
  passages: Passage[];
  further: Passage[];
}

/** One collection's questions; `strangers` are about something else. */
export interface TrainingSet {
  name: string;
  own: TrainingQuestion[];
  strangers: TrainingQuestion[];
}

/** Judges an answer by patterns; comes with the questions. */
export type Judge = (
  answer: { answer: string; citations: readonly unknown[] },
  gold: { right: readonly string[]; partly: readonly string[] },
) => string;

const ANSWER_MAX_CHARS = 900;

/** Reads `<name>.json` and, beside it, `<name>.strangers.json` of a folder. */
export async function readTrainingSets(folder: string): Promise<TrainingSet[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8')) as TrainingQuestion[];
  const names = files.filter((file) => !file.endsWith('.strangers.json')).map((file) => file.slice(0, -'.json'.length));
  return Promise.all(
    names.map(async (name) => ({
      name,
      own: await read(`${name}.json`),
      strangers: files.includes(`${name}.strangers.json`) ? await read(`${name}.strangers.json`) : [],
    })),
  );
}

export function isAnswerable({ right = [], all = [], gold = '' }: TestQuestion): boolean {
  return right.length > 0 || all.length > 0 || gold !== '';
}

/** Whether an answer is right, and short enough for a reader to see that. */
export function isRight(text: string, question: TrainingQuestion, judge: Judge): boolean {
  const plain = text.replace(/\[\d+\]/g, ' ').replace(/\s+/g, ' ');
  const { right = [], all = [], gold = '' } = question;
  if (plain.length > ANSWER_MAX_CHARS) return false;
  if (gold !== '') return ` ${wordsOf(plain)} `.includes(` ${wordsOf(gold)} `);
  if (all.length > 0) return all.every((phrase) => plain.toLowerCase().includes(phrase.toLowerCase()));
  return right.length > 0 && judge({ answer: plain, citations: [1] }, { right, partly: [] }) === 'right';
}

/** Whether one sentence tells what was asked, or a part of it. */
export function statesAnswer(sentence: string, question: TrainingQuestion, judge: Judge): boolean {
  const { all = [] } = question;
  if (all.length > 0) return all.some((phrase) => sentence.toLowerCase().includes(phrase.toLowerCase()));
  return isRight(sentence, question, judge);
}

/** The words of a text without case, accents, articles and signs. */
function wordsOf(text: string): string {
  const bare = text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const words = bare.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !['the', 'a', 'an'].includes(word)).join(' ');
}
