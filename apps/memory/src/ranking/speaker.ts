import { analyseQuery } from '../index/analysis/analyse.ts';

// A name of one to four capitalised words before a colon, as transcripts and chats write it.
const LABEL = /^\s*(?:\[[^\]\n]{1,40}\]\s*)?(\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,3}):\s/u;

/** Who says a turn, by the label before it; null for a text that is no turn. */
export function speakerOf(body: string): string | null {
  return LABEL.exec(body)?.[1] ?? null;
}

/** True when the question has every word of the name. */
export function namesSpeaker(questionStems: ReadonlySet<string>, speaker: string): boolean {
  const name = analyseQuery(speaker, 'en');
  return name.length > 0 && name.every((stem) => questionStems.has(stem));
}
