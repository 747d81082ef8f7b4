import { BlockList, type ParsedDocument } from '../parsed.ts';
import { coreTitle, numbered } from './office.ts';
import { looksLikeHeader, rowText } from './table-text.ts';
import { readXml } from './xml.ts';
import type { OpenZip } from './zip.ts';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const COLUMNS_MAX = 1_000;

/** A workbook, row by row under the names of its columns. Formulas count by the value that was stored with them. */
export async function parseXlsx(zip: OpenZip): Promise<ParsedDocument> {
  const shared = readSharedStrings((await zip.readText('xl/sharedStrings.xml')) ?? '');
  const sheets = readSheetNames((await zip.readText('xl/workbook.xml')) ?? '');
  const dateStyles = readDateStyles((await zip.readText('xl/styles.xml')) ?? '');
  const list = new BlockList();
  for (const [index, name] of numbered(zip.names, /^xl\/worksheets\/sheet(\d+)\.xml$/).entries()) {
    const rows = readRows((await zip.readText(name)) ?? '', shared, dateStyles);
    addRows(list, rows, sheets[index] ?? `Sheet ${index + 1}`);
  }
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

function readSheetNames(xml: string): string[] {
  const names: string[] = [];
  if (xml === '') return names;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'sheet') names.push(attributes['name'] ?? '');
    },
  });
  return names;
}

/** Styles that show a number as a date: built-in formats 14–22 and 45–47, and own ones with days or years. */
function readDateStyles(xml: string): ReadonlySet<number> {
  const dates = new Set<number>();
  if (xml === '') return dates;
  const formats = new Map<number, string>();
  let inCellFormats = false;
  let style = 0;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') formats.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      if (name === 'cellXfs') inCellFormats = true;
      if (name !== 'xf' || !inCellFormats) return;
      const id = Number(attributes['numFmtId'] ?? 0);
      const code = (formats.get(id) ?? '').replace(/"[^"]*"|\[[^[\]]*\]/g, '');
      if ((id >= 14 && id <= 22) || (id >= 45 && id <= 47) || /[dy]/i.test(code)) dates.add(style);
      style += 1;
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return dates;
}

interface Cell {
  column: number;
  type: string;
  style: number;
  value: string;
}

function readRows(xml: string, shared: readonly string[], dateStyles: ReadonlySet<number>): string[][] {
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
          cells[cell.column] = valueOf(cell, shared, dateStyles);
        }
        cell = null;
      }
      if (name === 'row' && cells.some((value) => value !== '')) rows.push(cells);
    },
  });
  return rows;
}

function valueOf(cell: Cell, shared: readonly string[], dateStyles: ReadonlySet<number>): string {
  const text = cell.value.trim();
  if (cell.type === 's') return (shared[Number(text)] ?? '').replace(/\s+/g, ' ').trim();
  if (cell.type === 'b') return text === '1' ? 'true' : 'false';
  if (cell.type === 'n' && text !== '' && dateStyles.has(cell.style)) return dateOf(Number(text)) ?? text;
  return text.replace(/\s+/g, ' ');
}

const DAY_MS = 86_400_000;

/** Days since the end of 1899, as spreadsheets count them. */
function dateOf(days: number): string | null {
  if (!Number.isFinite(days) || days < 1 || days > 2_958_465) return null;
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round(days * DAY_MS)).toISOString();
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? 'A') column = column * 26 + (letter.charCodeAt(0) - 64);
  return column - 1;
}
