import { splitSentences } from '@cairn/language';
import { Places, type Reader } from '@cairn/reading';
import { DEFAULT_LANGUAGE, detectLanguage } from '../../text/detect-language.ts';
import { type ChunkExtraction, collectChunk } from './collect-chunk.ts';
import type { Extraction, ReadStatement } from './extraction.ts';
import { findNames, type NameSpan } from './names.ts';
import { namesOfRelations, type OpenLink, statementsOfRelations } from './stated-relations.ts';
import { statementsOf } from './statements.ts';
import type { Statement } from './statement.ts';
import { classByWords, createWindowNames, namesOfReading } from './window-names.ts';
import { type ChunkText, type WindowText, windowText } from './window-text.ts';

/** A chunk of a window, and what a model said of it. */
export interface WindowChunk extends ChunkText {
  said: readonly ReadStatement[];
}

/** What reads: made once for a process. */
export interface WindowReaders {
  reader: Reader;
  places: Places;
}

const SENTENCE_MAX_CHARS = 600;

/**
 * Reads consecutive chunks of a document as one text, so that a name has one type in all of them and a pronoun what
 * was named before it: one extraction for each chunk, of these texts alone. English is read by the reader; in other
 * languages names are found by capitals and lists, and hardly any statements.
 */
export function readWindow(chunks: readonly WindowChunk[], reading: WindowReaders): Extraction[] {
  const window = windowText(chunks);
  const found = isEnglish(window) ? readEnglish(window, reading) : readOther(window);
  const cells = typed(
    window.parts.flatMap((part) => part.structured.names),
    found.names,
    reading.reader,
  );
  const names = createWindowNames([...found.names, ...found.said], cells);
  return window.parts.map((part, at) => {
    const inside = within(found.names, part);
    const sentences = within(found.sentences, part);
    const groups = groupsOf(sentences, inside);
    const prose = sentences
      .filter(({ start, end }) => end - start <= SENTENCE_MAX_CHARS)
      .flatMap(({ start, end }, index) =>
        statementsOf({ text: window.text.slice(start, end), start, end, names: groups[index] ?? [] }),
      );
    const local = <T extends { start: number; end: number }>(placed: T): T => ({
      ...placed,
      start: placed.start === part.start ? 0 : part.placeOf(placed.start - part.start - 1) + 1,
      end: part.placeOf(placed.end - part.start),
    });
    const own = part.structured.statements.map((statement) => ({
      ...statement,
      start: statement.start === 0 ? 0 : part.placeOf(statement.start - 1) + 1,
      end: part.placeOf(statement.end),
    }));
    const extraction: ChunkExtraction = {
      titled: part.titles.flatMap((title) => found.titled.get(title) ?? []),
      names: [...part.structured.names, ...inside],
      groups: [...rowsOf(part.structured.names), ...groups.filter((group) => group.length > 1)],
      statements: [...own, ...[...within(found.statements, part), ...prose].map(local)],
      links: within(found.links, part).map(local),
      modelStatements: chunks[at]!.said,
    };
    return collectChunk(extraction, names, reading.places);
  });
}

/** What was read of a window; places are those of its text. */
interface Found {
  names: readonly NameSpan[];
  sentences: readonly { start: number; end: number }[];
  statements: readonly Statement[];
  links: readonly OpenLink[];
  titled: ReadonlyMap<string, readonly NameSpan[]>;
  /** Names as relations have them, whose types they allow. */
  said: readonly NameSpan[];
}

function isEnglish({ text }: WindowText): boolean {
  return detectLanguage(text) === DEFAULT_LANGUAGE;
}

function readEnglish(window: WindowText, { reader, places }: WindowReaders): Found {
  const read = reader.read(window.text);
  const names = namesOfReading(read, window);
  const bodies = new Set(names.filter((name) => !isTitle(window, name)).map((name) => name.text));
  return {
    names,
    sentences: read.sentences,
    ...statementsOfRelations(read.relations, places),
    said: namesOfRelations(read.relations),
    // A title has capitals that say little: names that only the title has are taken when they have a type.
    titled: namesOfTitles(window, names, (name) => name.class !== 'other' || bodies.has(name.text)),
  };
}

function readOther(window: WindowText): Found {
  const names = findNames(window.text);
  const titled = namesOfTitles(window, names, (name) => name.class !== 'term');
  return { names, sentences: splitSentences(window.text), statements: [], links: [], said: [], titled };
}

function isTitle({ titles }: WindowText, { start }: { start: number }): boolean {
  return titles.some((title) => start >= title.start && start < title.end);
}

function namesOfTitles(
  { titles }: WindowText,
  names: readonly NameSpan[],
  isKept: (name: NameSpan) => boolean,
): Map<string, NameSpan[]> {
  return new Map(titles.map((place) => [place.title, within(names, place).filter(isKept)]));
}

/** Those of `items`, which are in order, that lie within the place. */
function within<T extends { start: number; end: number }>(
  items: readonly T[],
  { start, end }: { start: number; end: number },
): T[] {
  return items.filter((item) => item.start >= start && item.end <= end);
}

/** The names of each sentence. */
function groupsOf(sentences: readonly { start: number; end: number }[], names: readonly NameSpan[]): NameSpan[][] {
  let at = 0;
  return sentences.map(({ start, end }) => {
    while (at < names.length && names[at]!.end <= start) at += 1;
    let last = at;
    while (last < names.length && names[last]!.start < end) last += 1;
    return names.slice(at, last);
  });
}

/** Names of cells that no prose types, by their own words: "Voss Annegret" in a list is a person. */
function typed(cells: readonly NameSpan[], prose: readonly NameSpan[], reader: Reader): NameSpan[] {
  const known = new Set(prose.map((name) => name.text));
  const texts = new Set(
    cells.filter((cell) => cell.class === 'other' && cell.text.includes(' ')).map(({ text }) => text),
  );
  const classes = new Map(
    [...texts].filter((text) => !known.has(text)).map((text) => [text, classByWords(text, reader)]),
  );
  return cells.map((cell) => ({ ...cell, class: classes.get(cell.text) ?? cell.class }));
}

function rowsOf(names: readonly NameSpan[]): NameSpan[][] {
  return [...Map.groupBy(names, (name) => name.start).values()].filter((group) => group.length > 1);
}
