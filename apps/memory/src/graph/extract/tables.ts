import { findNames, type NameSpan } from './names.ts';
import { classOfPhrase, subjectOf } from './phrases.ts';
import { relationName, takesNamedObject } from './relations.ts';
import type { FoundStatement } from './sentence-pattern.ts';
import type { Statement } from './statement.ts';
import { readValue, textValue, type Value } from './values.ts';

interface Row {
  cells: string[];
  start: number;
  end: number;
}

const CELL_MAX_CHARS = 200;
const COLUMNS_MAX = 30;
const TOTALS = /^(?:total|sum|all|average|mean|subtotal)$/i;

/** Where tables and key–value lines lie, so that sentences are not read there. */
export interface StructuredContent {
  statements: Statement[];
  /** Names of the structure; those of a table's cells are found cell by cell. */
  names: NameSpan[];
  /** Places of the text that are structure, in order. */
  taken: { start: number; end: number }[];
}

const PIPE_ROW = /^[ \t]*\|.*\|[ \t]*$/;
const RULE = /^[ \t]*\|[ \t:|-]+\|[ \t]*$/;
const KEY_LINE =
  /^[ \t]*(?:[-*•][ \t]+)?(?:\*\*)?([\p{L}][\p{L}\p{N} /()-]{1,40}?)(?:\*\*)?:(?:\*\*)?[ \t]+(\S.{0,199})$/u;

/** Reads Markdown and comma-separated tables and `key: value` lines; `about` is what keys without a subject are said of. */
export function readStructuredContent(text: string, about: string | null): StructuredContent {
  const found: StructuredContent = { statements: [], names: [], taken: [] };
  const lines = linesOf(text);
  for (let at = 0; at < lines.length;) {
    const table = pipeTable(lines, at) ?? recordLines(lines, at) ?? commaTable(lines, at);
    if (table !== null) {
      readTable(table.rows, found);
      found.taken.push({ start: lines[at]!.start, end: lines[at + table.lines - 1]!.end });
      at += table.lines;
      continue;
    }
    readKeyLine(lines[at]!, about, found);
    at += 1;
  }
  return found;
}

interface Line {
  text: string;
  start: number;
  end: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ text: line, start, end: start + line.length });
    start += line.length + 1;
  }
  return lines;
}

function pipeTable(lines: readonly Line[], at: number): { rows: Row[]; lines: number } | null {
  if (!PIPE_ROW.test(lines[at]!.text)) return null;
  const rows: Row[] = [];
  let end = at;
  for (; end < lines.length && PIPE_ROW.test(lines[end]!.text); end += 1) {
    const line = lines[end]!;
    if (RULE.test(line.text)) continue;
    const cells = line.text
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    rows.push({ cells: cells.slice(0, COLUMNS_MAX), start: line.start, end: line.end });
  }
  return rows.length < 2 ? null : { rows, lines: end - at };
}

const RECORD_CELL = /; (?=[\p{L}#][^:;]{0,60}: )/u;
/** Rows that were written out as `Label: value; Label: value`, one a line, with the same labels in each. */
function recordLines(lines: readonly Line[], at: number): { rows: Row[]; lines: number } | null {
  const labels = labelsOf(lines[at]!.text);
  if (labels.length < 2) return null;
  const rows: Row[] = [{ cells: labels, start: lines[at]!.start, end: lines[at]!.start }];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end]!;
    if (line.text.trim() === '') continue;
    const own = labelsOf(line.text);
    if (own.length < 2 || own[0] !== labels[0]) break;
    const values = new Map(
      cellsOf(line.text).map((cell, index) => [own[index]!, cell.slice(cell.indexOf(':') + 1).trim()]),
    );
    rows.push({ cells: labels.map((label) => values.get(label) ?? ''), start: line.start, end: line.end });
  }
  return { rows, lines: end - at };
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^[-*•] /, '')
    .split(RECORD_CELL)
    .slice(0, COLUMNS_MAX);
}

/** The labels of a line that is a record; none for any other. */
function labelsOf(line: string): string[] {
  if (!line.includes('; ')) return [];
  const labels = cellsOf(line).map((cell) => /^([\p{L}#][^:;]{0,60}): \S/u.exec(cell)?.[1] ?? '');
  return labels.includes('') || new Set(labels).size < labels.length ? [] : labels;
}

const COMMA_ROWS_MIN = 3;
/** Three lines with the same two commas or more: a table of comma-separated values. */
function commaTable(lines: readonly Line[], at: number): { rows: Row[]; lines: number } | null {
  const separator = [',', ';', '\t'].find((mark) => lines[at]!.text.split(mark).length >= 3);
  if (separator === undefined || /[.!?]\s/.test(lines[at]!.text)) return null;
  const columns = lines[at]!.text.split(separator).length;
  const rows: Row[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end]!;
    const cells = line.text.split(separator).map((cell) => cell.trim().replace(/^"|"$/g, ''));
    if (cells.length !== columns || cells.some((cell) => cell.length > CELL_MAX_CHARS)) break;
    rows.push({ cells: cells.slice(0, COLUMNS_MAX), start: line.start, end: line.end });
  }
  return rows.length < COMMA_ROWS_MIN || rows[0]!.cells.some((cell) => cell === '' || /^\d/.test(cell))
    ? null
    : { rows, lines: end - at };
}

/** The first column names what a row is about, when it distinguishes the rows; the others describe it. */
function readTable(rows: readonly Row[], found: StructuredContent): void {
  const [header, ...body] = rows as [Row, ...Row[]];
  const subjects = body.map((row) => row.cells[0] ?? '');
  for (const row of [header, ...body]) collectNames(row, found);
  if (new Set(subjects).size < subjects.length || subjects.some((subject) => /^[\d€$£]/.test(subject))) return;
  for (const row of body) {
    const cell = plain(row.cells[0] ?? '');
    const subject = subjectOf(cell) ?? cell;
    if (subject === '' || subject.length > CELL_MAX_CHARS || TOTALS.test(subject)) continue;
    for (let column = 1; column < Math.min(header.cells.length, row.cells.length); column += 1) {
      const value = plain(row.cells[column]!);
      const label = header.cells[column]!;
      if (value === '' || label === '' || /^(?:[-–—]|n\/a|none|tbd|see above|on request)$/i.test(value)) continue;
      pushStatement(found, row, subject, relationName(label), value, 0.85);
    }
  }
}

function collectNames(row: Row, found: StructuredContent): void {
  for (const cell of row.cells)
    for (const name of findNames(cell))
      if (name.class !== 'term') found.names.push({ ...name, start: row.start, end: row.end });
}

function readKeyLine(line: Line, about: string | null, found: StructuredContent): void {
  const match = KEY_LINE.exec(line.text);
  if (match === null || about === null || match[1]!.split(' ').length > 5) return;
  const value = plain(match[2]!.replace(/[.;]$/, ''));
  if (!hasContent(value)) return;
  if (/^(?:see also|note|notes|example|warning|tip|q|a|i|https?)$/i.test(match[1]!) || value.split(' ').length > 12)
    return;
  const subject = /^(.+) of this (?:page|document)$/i.test(match[1]!) ? `${about} page` : about;
  const label = match[1]!.replace(/ of this (?:page|document)$/i, '');
  pushStatement(found, { cells: [], start: line.start, end: line.end }, subject, relationName(label), value, 0.8);
}

/** An amount, a date, a name or a few words; longer values are prose. */
function hasContent(value: string): boolean {
  const read = readValue(value);
  if (read !== null && read.length >= value.length * 0.6) return true;
  return value.split(' ').length <= 4 && !value.includes(';');
}

function pushStatement(
  found: StructuredContent,
  row: Row,
  subject: string,
  relation: string,
  cell: string,
  confidence: number,
): void {
  const names = findNames(cell);
  const whole = names.find((name) => name.text.length >= cell.split(/[,.]/, 1)[0]!.length);
  const subjectNames = findNames(subject);
  const subjectClass = classOfPhrase(subject, subjectNames);
  const place = { start: row.start, end: row.end, negated: false, validFrom: null, validTo: null, ended: false };
  if (relation === 'has_role') {
    found.statements.push(
      ...roleStatements(subject, subjectClass, cell, confidence).map((statement) => ({
        ...statement,
        ...place,
      })),
    );
    return;
  }
  if (takesNamedObject(relation) && whole === undefined) return;
  const read = whole === undefined || whole.class === 'code' ? readValue(cell) : null;
  const value: Value = read !== null && read.length >= cell.length * 0.6 ? read.value : textValue(cell);
  if (value.kind === 'text' && value.text === '') return;
  const objectClass = value.kind === 'text' && whole !== undefined ? objectClassOf(relation, whole) : null;
  found.statements.push({ subject, subjectClass, relation, text: cell, value, objectClass, confidence, ...place });
}

function objectClassOf(relation: string, name: NameSpan): NameSpan['class'] {
  if ((relation === 'works_in' || relation === 'located_in') && (name.class === 'other' || name.class === 'term'))
    return 'place';
  return name.class === 'term' ? 'other' : name.class;
}

/** A role, and whom somebody with such a role leads. */
function roleStatements(
  person: string,
  personClass: NameSpan['class'],
  role: string,
  confidence: number,
): FoundStatement[] {
  const found: FoundStatement[] = [
    {
      subject: person,
      subjectClass: personClass,
      relation: 'has_role',
      text: role,
      value: textValue(role),
      objectClass: null,
      confidence,
    },
  ];
  const led =
    /^(?:[Hh]ead|[Dd]irector|[Ll]ead) of (.+)$/.exec(role)?.[1] ?? /^(.+?) (?:[Tt]eam )?Lead$/.exec(role)?.[1];
  if (led !== undefined && /^\p{Lu}/u.test(led))
    found.push({
      subject: led,
      subjectClass: 'other',
      relation: 'led_by',
      text: person,
      value: textValue(person),
      objectClass: 'person',
      confidence,
    });
  return found;
}

/** A cell without the marks of Markdown. */
function plain(cell: string): string {
  return cell
    .replace(/\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
