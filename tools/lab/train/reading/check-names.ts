import type { Reader } from '../../../../libs/reading/src/reader.ts';
import type { NamedText } from './named-text.ts';

const PARTS = 5;

/** Every fifth text, and the others. */
export function splitTexts(texts: readonly NamedText[]): { train: NamedText[]; test: NamedText[] } {
  const pick = (wanted: (i: number) => boolean) => texts.filter((_, i) => wanted(i));
  return { train: pick((i) => i % PARTS !== 0), test: pick((i) => i % PARTS === 0) };
}

/** F1 in percent of names at exactly their place, and of those of the three types that have their type as well. */
export interface NameScores {
  placeF1: number;
  typedF1: number;
}

export function checkNames(reader: Reader, texts: readonly NamedText[]): NameScores {
  const place = { right: 0, found: 0, wanted: 0 };
  const typed = { right: 0, found: 0, wanted: 0 };
  for (const { text, spans } of texts) {
    const { names } = reader.read(text);
    const named = names.filter(({ type }) => type !== 'other');
    const wanted = spans.filter(({ type }) => type !== 'other');
    place.found += names.length;
    place.wanted += spans.length;
    typed.found += named.length;
    typed.wanted += wanted.length;
    const at = (name: { start: number; end: number }) => `${name.start} ${name.end}`;
    const places = new Set(names.map(at));
    const types = new Set(named.map((name) => `${at(name)} ${name.type}`));
    place.right += spans.filter((span) => places.has(at(span))).length;
    typed.right += wanted.filter((span) => types.has(`${at(span)} ${span.type}`)).length;
  }
  return { placeF1: f1(place), typedF1: f1(typed) };
}

function f1({ right, found, wanted }: { right: number; found: number; wanted: number }): number {
  return (200 * right) / Math.max(1, found + wanted);
}
