import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';
import { BOLD, createPages, GREY, MARGIN, type PdfPages, REGULAR, SIZES } from './pdf-page.ts';
import { originOf, type ReportFacts } from './report-json.ts';
import type { ReportBlock, ReportDocument } from './report-document.ts';

const BLUE = '#1a56b0';
const RULE = '#c8ccd1';
const INDENT = 14;
const SOURCE_INDENT = 30;

/** The report on A4 pages, with its sources and their quotes. The same report gives the same bytes. */
export async function reportPdf(report: ReportDocument, facts: ReportFacts): Promise<Uint8Array> {
  const made = new Date(facts.finished_at ?? facts.created_at);
  const doc = new PdfDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    font: REGULAR,
    info: { Title: report.title, CreationDate: made, ModDate: made, Producer: 'Cairn', Creator: 'Cairn' },
  });
  const whole = buffer(doc);
  const pages = await createPages(doc);
  writeTitle(pages, report, facts, made);
  for (const { heading, blocks } of report.sections) {
    if (heading !== '') writeHeading(pages, heading);
    for (const block of blocks) writeBlock(pages, block);
  }
  writeSources(pages, report);
  writeMissing(pages);
  numberPages(pages);
  doc.end();
  return new Uint8Array(await whole);
}

function writeTitle(
  { doc, style, shown, width }: PdfPages,
  { title }: ReportDocument,
  facts: ReportFacts,
  made: Date,
): void {
  style(SIZES.title, 'black', BOLD).text(shown(title), MARGIN, MARGIN, { width });
  style(SIZES.small, GREY)
    .moveDown(0.3)
    .text(`${made.toISOString().slice(0, 10)}. ${originOf(facts)}`, { width });
  for (const text of facts.assumptions) doc.text(shown(text), { width });
  doc.moveDown(0.8);
}

function writeHeading({ doc, style, shown, width, roomFor }: PdfPages, text: string): void {
  roomFor(60);
  style(SIZES.heading, 'black', BOLD).moveDown(0.6).text(shown(text), MARGIN, doc.y, { width }).moveDown(0.3);
}

function writeBlock(pages: PdfPages, block: ReportBlock): void {
  const { doc, style, say, width, roomFor } = pages;
  if (block.kind === 'table') {
    writeTable(pages, block);
    return;
  }
  style(SIZES.text);
  if (block.kind === 'paragraph') {
    doc.text(block.statements.map(say).join(' '), MARGIN, doc.y, { width, lineGap: 2 }).moveDown(0.5);
    return;
  }
  for (const statement of block.statements) {
    roomFor(30);
    const top = doc.y;
    if (block.kind === 'list') doc.text('•', MARGIN, top, { lineBreak: false });
    doc.text(say(statement), MARGIN + INDENT, top, { width: width - INDENT, lineGap: 2 }).moveDown(0.35);
  }
  doc.moveDown(0.2);
}

function writeTable(
  { doc, style, shown, say, width }: PdfPages,
  { columns, rows }: Extract<ReportBlock, { kind: 'table' }>,
): void {
  doc.x = MARGIN;
  style(SIZES.small);
  const cells = rows.map((row) => columns.map((_, column) => (row[column] === undefined ? '' : say(row[column]))));
  doc.table({
    maxWidth: width,
    columnStyles: columnWidths([columns, ...cells], width).map((size) => ({ width: size })),
    defaultStyle: {
      border: { top: 0, left: 0, right: 0, bottom: 0.5 },
      borderColor: RULE,
      padding: [3, 8, 3, 0],
      align: { x: 'left', y: 'top' },
    },
    data: [columns.map((name) => ({ text: shown(name), font: { src: BOLD }, type: 'TH' as const })), ...cells],
  });
  doc.x = MARGIN;
  style(SIZES.text).moveDown(0.8);
}

/** By their longest cells, within bounds, so that a number does not get as much room as a sentence. */
function columnWidths(lines: readonly (readonly string[])[], width: number): number[] {
  const needs = lines[0]!.map((_, column) =>
    Math.min(40, Math.max(6, ...lines.map((cells) => (cells[column] ?? '').length))),
  );
  const total = needs.reduce((sum, need) => sum + need, 0);
  return needs.map((need) => (width * need) / total);
}

function writeSources(pages: PdfPages, { citations }: ReportDocument): void {
  const { doc, style, shown, roomFor } = pages;
  if (citations.length === 0) return;
  writeHeading(pages, 'Sources');
  const width = pages.width - SOURCE_INDENT;
  for (const { number, title, uri, quote } of citations) {
    roomFor(34);
    const top = doc.y;
    style(SIZES.small).text(`[${number}]`, MARGIN, top, { lineBreak: false });
    const isLink = uri !== null && /^https?:\/\//i.test(uri);
    const link = isLink ? { link: uri, underline: true } : {};
    style(SIZES.small, isLink ? BLUE : 'black').text(shown(title), MARGIN + SOURCE_INDENT, top, { width, ...link });
    if (uri !== null) style(SIZES.small, GREY).text(shown(uri), { width });
    style(SIZES.small, GREY).text(`“${shown(quote)}”`, MARGIN + SOURCE_INDENT, doc.y, { width });
    doc.moveDown(0.4);
  }
}

function writeMissing({ doc, style, width, missing }: PdfPages): void {
  const count = missing();
  if (count === 0) return;
  const which = count === 1 ? 'One character of another script is' : `${count} characters of other scripts are`;
  style(SIZES.small, GREY)
    .moveDown(0.5)
    .text(`${which} shown as □. The report as HTML, Markdown or JSON has them.`, MARGIN, doc.y, { width });
}

function numberPages({ doc, style, width }: PdfPages): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    // Text below the margin would begin another page.
    doc.page.margins.bottom = 0;
    style(SIZES.small, GREY).text(`${page + 1} / ${count}`, MARGIN, doc.page.height - MARGIN / 2, {
      width,
      align: 'right',
      lineBreak: false,
    });
  }
}
