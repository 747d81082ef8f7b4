import { cutText } from '@cairn/language';
import { plainText, statementsOf } from '@cairn/language';
import { stemsOf } from '../text/words.ts';
import type { ListRequest } from './criteria.ts';
import { type ModelField, modelFields } from './model-entries.ts';
import type { ProfileSource } from './profile.ts';

/** Numbered sources that fit into one call. */
interface ModelBatch {
  lines: string[];
  /** Where each of them is among all sources. */
  places: number[];
}

const SOURCES_PER_CALL = 12;
const SOURCE_MAX_CHARS = 1_200;
const TITLE_MAX_CHARS = 120;
/** The first sentences say what a text is about. */
const LEAD = 2;

/**
 * The sources with most words of the request, the beginning of each and its sentences with most of these words, in
 * batches of a call each.
 */
export function batchForModel({
  prompt,
  request,
  sources,
  callsMax,
}: {
  prompt: string;
  request: ListRequest;
  sources: readonly ProfileSource[];
  callsMax: number;
}): { fields: ModelField[]; batches: ModelBatch[] } {
  const wanted = new Set(stemsOf(prompt));
  const shared = (text: string) => new Set(stemsOf(text).filter((stem) => wanted.has(stem))).size;
  const passages = sources.map((source, place) => {
    const statements = statementsOf(source.body.slice(0, 100_000)).map(({ text }) =>
      plainText(text).replace(/\s+/g, ' '),
    );
    const ranked = statements.map((text, at) => ({ text, at, score: at < LEAD ? Infinity : shared(text) }));
    const best = ranked.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score || a.at - b.at);
    let chars = 0;
    const chosen = best.filter(({ text }) => (chars += text.length + 1) <= SOURCE_MAX_CHARS);
    const text = chosen
      .toSorted((a, b) => a.at - b.at)
      .map((one) => one.text)
      .join(' ');
    return { place, text, title: source.title, score: shared(`${source.title} ${text}`) };
  });
  const read = passages
    .filter(({ text, score }) => text !== '' && score > 0)
    .toSorted((a, b) => b.score - a.score || (a.title < b.title ? -1 : 1))
    .slice(0, callsMax * SOURCES_PER_CALL);
  const batches: ModelBatch[] = [];
  for (let at = 0; at < read.length; at += SOURCES_PER_CALL) {
    const part = read.slice(at, at + SOURCES_PER_CALL);
    batches.push({
      lines: part.map(({ title, text }, index) => `[${index + 1}] (${titleOf(title)}) ${text}`),
      places: part.map(({ place }) => place),
    });
  }
  return { fields: modelFields(request), batches };
}

function titleOf(title: string): string {
  return cutText(title.replace(/[\s()[\]]+/g, ' '), TITLE_MAX_CHARS);
}
