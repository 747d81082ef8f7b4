import type { ReadingModel } from '../src/learned/model.ts';
import { createReader, type Reader } from '../src/reader.ts';
import type { NamedText, NameSet } from './name-sets.ts';

interface SetOfTexts {
  set: NameSet;
  texts: NamedText[];
}

const PARTS = 5;

/** Every fifth text of each set, and the others. */
export function splitSets(sets: readonly SetOfTexts[]): { train: SetOfTexts[]; test: SetOfTexts[] } {
  const pick = (wanted: (i: number) => boolean) =>
    sets.map(({ set, texts }) => ({ set, texts: texts.filter((_, i) => wanted(i)) }));
  return { train: pick((i) => i % PARTS !== 0), test: pick((i) => i % PARTS === 0) };
}

/** Names found at exactly their place, and those of the three types that have their type as well. */
export function checkNames(model: ReadingModel, sets: readonly SetOfTexts[]): string {
  const reader = createReader(model);
  return sets.map(({ set, texts }) => `${set}: ${checkSet(reader, texts)}`).join('\n');
}

function checkSet(reader: Reader, texts: readonly NamedText[]): string {
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
  return `places F1 ${f1(place)}, with types F1 ${f1(typed)}`;
}

function f1({ right, found, wanted }: { right: number; found: number; wanted: number }): string {
  return ((200 * right) / Math.max(1, found + wanted)).toFixed(1);
}
