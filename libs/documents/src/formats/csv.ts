import { parse } from 'csv-parse/sync';
import { BlockList, type ParsedDocument, ParseFailure, tooMuchContent } from '../parsed.ts';
import { looksLikeHeader, rowText } from './table-text.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const SNIFFED_CHARS = 32_768;
const DETECTION_RECORDS_MAX = 30;
const RECORD_MAX_CHARS = 1_000_000;
const RECORDS_MAX = 1_000_000;

/**
 * The delimiter of a text that is a table: every one of its first records has the same number of cells. `named` is
 * true when the sender says that it is one, and less proof is asked for.
 */
export function csvDelimiterOf(text: string, named: boolean): string | null {
  const whole = text.length <= SNIFFED_CHARS;
  const sample = whole ? text : text.slice(0, text.lastIndexOf('\n', SNIFFED_CHARS));
  let best: { delimiter: string; columns: number } | null = null;
  for (const delimiter of DELIMITERS) {
    if (!sample.includes(delimiter) || !(named || mayBeRecords(sample, delimiter))) continue;
    const records = tryRecords(sample, delimiter);
    if (records === null || records.length < 2) continue;
    const columns = records[0]!.length;
    if (columns < 2 || !records.every((record) => record.length === columns)) continue;
    if (!named && !(records.length >= 3 && looksLikeHeader(records[0]!) && areShort(records))) continue;
    if (best === null || columns > best.columns) best = { delimiter, columns };
  }
  return best?.delimiter ?? (named && sample.includes('\t') ? '\t' : named && sample.includes(',') ? ',' : null);
}

const FIRST_LINES_CHARS = 4_096;
const DETECTION_LINES_MIN = 3;

/**
 * Whether the first lines have equally many cells, which most texts that are no tables fail at little cost. What takes
 * a reader to tell passes: quotes, in which a record may go on in the next line, and very long lines.
 */
function mayBeRecords(sample: string, delimiter: string): boolean {
  const start = sample.slice(0, FIRST_LINES_CHARS);
  const lines = start.split(/\r\n|[\r\n]/).filter((line) => line !== '');
  if (start.length < sample.length) lines.pop();
  else if (lines.length < DETECTION_LINES_MIN) return false;
  const first = lines.slice(0, DETECTION_LINES_MIN);
  if (first.length < DETECTION_LINES_MIN || first.some((line) => line.includes('"'))) return true;
  const cells = first.map((line) => line.split(delimiter).length);
  return cells[0]! > 1 && cells.every((count) => count === cells[0]);
}

/** Cells of tables are short; clauses between the commas of prose are not. */
function areShort(records: readonly string[][]): boolean {
  const cells = records.flat();
  return cells.reduce((sum, cell) => sum + cell.length, 0) / cells.length < 40 && records[0]![0]!.trim() !== '';
}

function tryRecords(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, { delimiter, to: DETECTION_RECORDS_MAX, relax_column_count: true, skip_empty_lines: true });
  } catch {
    return null;
  }
}

/** A table, row by row under the names of its columns. */
export function parseCsv(text: string, delimiter: string): ParsedDocument {
  let records: string[][];
  try {
    records = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: RECORD_MAX_CHARS,
      // One more shows that there are too many.
      to: RECORDS_MAX + 1,
    });
  } catch (error) {
    throw new ParseFailure(
      'broken_file',
      'The file cannot be read as a table: a quote is not closed, or a row is too long.',
      error,
    );
  }
  if (records.length > RECORDS_MAX) throw tooMuchContent();
  const [first = []] = records;
  const names = records.length > 1 && looksLikeHeader(first) ? first.map((name) => name.trim()) : [];
  const list = new BlockList();
  for (const [index, cells] of records.slice(names.length > 0 ? 1 : 0).entries()) {
    const values = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
    list.add(rowText(names, values), [], { row: index + 1, row_end: index + 1 });
  }
  const mediaType = delimiter === '\t' ? 'text/tab-separated-values' : 'text/csv';
  return { mediaType, title: null, context: '', blocks: list.blocks, occurredAt: null };
}
