import { BlockList, type ParsedDocument } from '../parsed.ts';
import { coreTitle } from './office.ts';
import { looksLikeHeader, rowText } from './table-text.ts';
import { readWorkbook } from './workbook.ts';
import { readXml } from './xml.ts';
import type { OpenZip } from './zip.ts';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const COLUMNS_MAX = 1_000;

/** What the cells of all sheets refer to. */
interface Lookups {
  strings: readonly string[];
  styles: ReadonlyMap<number, Shown>;
  /** Added to the days of a date, which then count from the end of 1899. */
  addedDays: number;
}

/** What a style shows a number as. */
type Shown = 'date' | 'duration';

/** A workbook, row by row under the names of its columns. Formulas count by the value that was stored with them. */
export async function parseXlsx(zip: OpenZip): Promise<ParsedDocument> {
  const { sheets, isFrom1904 } = await readWorkbook(zip);
  const lookups: Lookups = {
    strings: readSharedStrings((await zip.readText('xl/sharedStrings.xml')) ?? ''),
    styles: readStyles((await zip.readText('xl/styles.xml')) ?? ''),
    addedDays: isFrom1904 ? DAYS_TO_1904 : 0,
  };
  const list = new BlockList();
  for (const { name, part } of sheets) addRows(list, readRows((await zip.readText(part)) ?? '', lookups), name);
  return { mediaType: XLSX_TYPE, title: await coreTitle(zip), context: '', blocks: list.blocks, occurredAt: null };
}

function addRows(list: BlockList, rows: readonly string[][], sheet: string): void {
  const [first = []] = rows;
  const names = looksLikeHeader(first) && rows.length > 1 ? first : [];
  for (const [index, cells] of rows.slice(names.length > 0 ? 1 : 0).entries()) {
    list.add(rowText(names, cells), [sheet], { sheet, row: index + 1, row_end: index + 1 });
  }
  // Without rows below it a header is all there is.
  if (names.length > 0 && rows.length === 1) list.add(names.join('; '), [sheet], { sheet, row: 1, row_end: 1 });
}

function readSharedStrings(xml: string): string[] {
  const strings: string[] = [];
  if (xml === '') return strings;
  let text = '';
  let inText = false;
  let inPhonetic = false;
  readXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') inPhonetic = true;
      if (name === 't') inText = true;
    },
    text(value) {
      if (inText && !inPhonetic) text += value;
    },
    close(name) {
      if (name === 't') inText = false;
      if (name === 'rPh') inPhonetic = false;
      if (name === 'si') strings.push(text);
    },
  });
  return strings;
}

function readStyles(xml: string): ReadonlyMap<number, Shown> {
  const styles = new Map<number, Shown>();
  if (xml === '') return styles;
  const formats = new Map<number, string>();
  let inCellFormats = false;
  let style = 0;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') formats.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      if (name === 'cellXfs') inCellFormats = true;
      if (name !== 'xf' || !inCellFormats) return;
      const id = Number(attributes['numFmtId'] ?? 0);
      const shown = shownBy(id, formats.get(id) ?? '');
      if (shown !== null) styles.set(style, shown);
      style += 1;
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return styles;
}

const ELAPSED_HOURS = 46;

/** Built-in formats 14–22 and 45–47 show times, as do own ones with days or years; hours in brackets have no end. */
function shownBy(id: number, code: string): Shown | null {
  const unquoted = code.replace(/"[^"]*"/g, '');
  if (id === ELAPSED_HOURS || /\[(?:h+|m+|s+)\]/i.test(unquoted)) return 'duration';
  const isDate = (id >= 14 && id <= 22) || (id >= 45 && id <= 47);
  return isDate || /[dy]/i.test(unquoted.replace(/\[[^[\]]*\]/g, '')) ? 'date' : null;
}

interface Cell {
  column: number;
  type: string;
  style: number;
  value: string;
}

function readRows(xml: string, lookups: Lookups): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell: Cell | null = null;
  let inValue = false;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'row') cells = [];
      if (name === 'c') {
        const column = attributes['r'] === undefined ? cells.length : columnOf(attributes['r']);
        cell = { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), value: '' };
      }
      if (name === 'v' || name === 't') inValue = true;
    },
    text(value) {
      if (inValue && cell !== null) cell.value += value;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      if (name === 'c' && cell !== null) {
        if (cell.column < COLUMNS_MAX) {
          while (cells.length < cell.column) cells.push('');
          cells[cell.column] = valueOf(cell, lookups);
        }
        cell = null;
      }
      if (name === 'row' && cells.some((value) => value !== '')) rows.push(cells);
    },
  });
  return rows;
}

function valueOf(cell: Cell, { strings, styles, addedDays }: Lookups): string {
  const text = cell.value.trim();
  if (cell.type === 's') return (strings[Number(text)] ?? '').replace(/\s+/g, ' ').trim();
  if (cell.type === 'b') return text === '1' ? 'true' : 'false';
  const shown = cell.type === 'n' && text !== '' ? styles.get(cell.style) : undefined;
  if (shown === 'date') return dateOf(Number(text), addedDays) ?? text;
  if (shown === 'duration') return durationOf(Number(text)) ?? text;
  return text.replace(/\s+/g, ' ');
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The last day of the year 9999. */
const DAYS_MAX = 2_958_465;
const DAYS_TO_1904 = 1_462;

/** Days since the end of 1899, or since 1904, as spreadsheets count them. A time of day alone is no date. */
function dateOf(days: number, addedDays: number): string | null {
  if (!Number.isFinite(days) || days < 1 || days + addedDays > DAYS_MAX) return null;
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round((days + addedDays) * DAY_MS)).toISOString();
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}

/** Hours, minutes and seconds: `36:00:00`. */
function durationOf(days: number): string | null {
  if (!Number.isFinite(days) || Math.abs(days) > DAYS_MAX) return null;
  const ms = Math.round(Math.abs(days) * DAY_MS);
  const seconds = (ms % MINUTE_MS) / 1_000;
  const minutes = String(Math.floor((ms % HOUR_MS) / MINUTE_MS)).padStart(2, '0');
  return `${days < 0 ? '-' : ''}${Math.floor(ms / HOUR_MS)}:${minutes}:${seconds < 10 ? '0' : ''}${seconds}`;
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? 'A') column = column * 26 + (letter.charCodeAt(0) - 64);
  return column - 1;
}
