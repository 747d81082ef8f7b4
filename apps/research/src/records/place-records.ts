import { cutText, isHighSurrogate } from '@cairn/language';
import type { MatchingRecord } from './matching-records.ts';

interface PlacedCell {
  value: string;
  confidence: number;
  quote: string;
  /** Where the quote begins in the page's text, in UTF-16 units. */
  start: number;
}

/** A record whose cells are quoted from the page's text. */
export interface PlacedRecord extends Omit<MatchingRecord, 'cells'> {
  cells: Record<string, PlacedCell>;
  /** Where the text names it. */
  named: { quote: string; start: number };
}

const QUOTE_MAX_CHARS = 300;
const APPENDED_MAX_CHARS = 100_000;

/**
 * Finds the cells of a page's records in its text. What the text lacks, because it stands in structured data or
 * outside of the article, is appended to it, so that every cell has a quote.
 */
export function placeRecords(
  text: string,
  records: readonly MatchingRecord[],
): { text: string; records: PlacedRecord[] } {
  let whole = text;
  const place = (words: readonly string[], from: number, otherwise: string) => {
    const found = lineWith(whole, words, from) ?? lineWith(whole, words, 0);
    if (found !== null) return found;
    const line = cutText(otherwise, QUOTE_MAX_CHARS);
    if (whole.length - text.length > APPENDED_MAX_CHARS) return { quote: '', start: 0 };
    whole = `${whole}${whole.length === text.length ? '\n\n' : '\n'}${line}`;
    return { quote: line, start: whole.length - line.length };
  };
  const placed = records.map((record) => {
    const named = place([record.name], 0, record.name);
    const cells = Object.entries(record.cells).map(([column, { value, confidence, said, label }]) => {
      const { quote, start } = place([label, said], named.start, `${record.name} – ${label}: ${said}`);
      return [column, { value, confidence, quote, start }] as const;
    });
    return { ...record, named, cells: Object.fromEntries(cells) };
  });
  return { text: whole, records: placed };
}

/** The part of a line from `from` on that has the last of the words, preferably with the others on the same line. */
function lineWith(text: string, words: readonly string[], from: number): { quote: string; start: number } | null {
  const said = words.at(-1)!;
  let fallback: { quote: string; start: number } | null = null;
  let at = text.indexOf(said, from);
  for (let tries = 0; at >= 0 && tries < 20; tries += 1, at = text.indexOf(said, at + said.length)) {
    const lineStart = text.lastIndexOf('\n', at) + 1;
    const lineEnd = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    const line = text.slice(lineStart, lineEnd);
    const start = line.length <= QUOTE_MAX_CHARS ? lineStart : Math.max(lineStart, wholeFrom(text, at - 40));
    const quote = cutText(text.slice(start, lineEnd), Math.max(QUOTE_MAX_CHARS, at - start + said.length));
    if (words.every((word) => line.toLowerCase().includes(word.toLowerCase()))) return { quote, start };
    fallback ??= { quote, start };
  }
  return fallback;
}

/** A place in a text that is not within a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  return at > 0 && isHighSurrogate(text, at - 1) ? at - 1 : at;
}
