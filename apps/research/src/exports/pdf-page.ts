import { createRequire } from 'node:module';
import { createPrintable } from './printable.ts';
import type { CitedStatement } from './report-document.ts';
import { ReportTooLong } from './report-too-long.ts';

export const REGULAR = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
export const BOLD = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

export const MARGIN = 64;
export const SIZES = { title: 18, heading: 12.5, text: 10, small: 8.5 } as const;
export const GREY = '#5f6368';
/** Longest text that is laid out, about 200 pages; reports are far shorter. */
const CHARS_MAX = 600_000;
/** A longer word is broken: no line could hold it. */
const LONG_WORD = /(\S{60})(?=\S)/g;

/** What the parts of a report are written with. */
export interface PdfPages {
  doc: PDFKit.PDFDocument;
  width: number;
  /** The text as the font can show it. */
  shown(text: string): string;
  /** A statement before the numbers of its citations. */
  say(statement: CitedStatement): string;
  style(size: number, colour?: string, font?: string): PDFKit.PDFDocument;
  /** Begins a page when this one has less left. */
  roomFor(height: number): void;
  /** How many characters could not be shown so far. */
  missing(): number;
}

export async function createPages(doc: PDFKit.PDFDocument): Promise<PdfPages> {
  const printable = await createPrintable(REGULAR);
  let left = CHARS_MAX;
  const shown = (text: string) => {
    left -= text.length;
    if (left < 0) throw new ReportTooLong();
    return printable.text(text).replace(LONG_WORD, '$1 ');
  };
  return {
    doc,
    width: doc.page.width - 2 * MARGIN,
    shown,
    say: ({ text, citations }) => [shown(text), ...citations.map((number) => `[${number}]`)].join(' ').trim(),
    style: (size, colour = 'black', font = REGULAR) => doc.font(font).fontSize(size).fillColor(colour),
    roomFor(height) {
      if (doc.y + height > doc.page.height - MARGIN) doc.addPage();
    },
    missing: printable.missing,
  };
}
