import mammoth from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';
import { readHtml } from '../crawl/read-html.ts';
import { unpacksWithin } from './unpacks-within.ts';

/** What a reference file says, or why it cannot be read. */
export type FileText =
  | { ok: true; mediaType: string; text: string }
  | { ok: false; reason: 'unsupported' | 'unreadable' | 'empty' };

const TEXT_MAX_CHARS = 5_000_000;
const PAGES_MAX = 2_000;
/** What a DOCX may unpack to, whatever it says of its sizes. */
const DOCX_UNPACKED_MAX_BYTES = 96 * 1_048_576;
const DOCX_MEDIA = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Reads a file by its content, not by what its name or sender says: PDF, DOCX, HTML, JSON, CSV, Markdown, text. */
export async function readFile(bytes: Uint8Array): Promise<FileText> {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  if (head.includes('%PDF-')) return read('application/pdf', () => pdfText(bytes));
  if (head.startsWith('PK\u0003\u0004')) return read(DOCX_MEDIA, () => docxText(bytes));
  const text = decoded(bytes);
  if (text === null) return { ok: false, reason: 'unsupported' };
  if (/^\s*<(?:!doctype html|html|head|body|article|div|h1|p)\b/i.test(text))
    return read('text/html', () => Promise.resolve(readHtml(text, 'https://upload.invalid/').text));
  const json = jsonText(text);
  if (json !== null) return read('application/json', () => Promise.resolve(json));
  return read('text/plain', () => Promise.resolve(text.replace(/\r\n?/g, '\n')));
}

async function read(mediaType: string, work: () => Promise<string>): Promise<FileText> {
  try {
    const text = (await work()).replaceAll('\0', '').toWellFormed().slice(0, TEXT_MAX_CHARS);
    return text.trim() === '' ? { ok: false, reason: 'empty' } : { ok: true, mediaType, text };
  } catch {
    return { ok: false, reason: 'unreadable' };
  }
}

async function pdfText(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  if (pdf.numPages > PAGES_MAX) throw new Error('too many pages');
  const { text } = await extractText(pdf, { mergePages: false });
  return text.join('\n\n');
}

async function docxText(bytes: Uint8Array): Promise<string> {
  if (!(await unpacksWithin(bytes, DOCX_UNPACKED_MAX_BYTES))) throw new Error('it unpacks to too much');
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    // Pictures are not read, and nothing outside of the file is.
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })), externalFileAccess: false },
  );
  return readHtml(`<!doctype html><html><body>${value}</body></html>`, 'https://upload.invalid/').text;
}

/** UTF-8, or UTF-16 with its mark; null for what is no text. */
function decoded(bytes: Uint8Array): string | null {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(mark, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    const latin = new TextDecoder('windows-1252').decode(bytes);
    // oxlint-disable-next-line no-control-regex
    return /[\0-\x08\x0e-\x1f]/.test(latin) ? null : latin;
  }
}

/** A list of objects becomes rows, so that what is said of one stands together; anything else stays as it is. */
function jsonText(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value = JSON.parse(text) as unknown;
    if (!Array.isArray(value) || !value.every((item) => item !== null && typeof item === 'object'))
      return JSON.stringify(value, null, 2);
    if (JSON.stringify(value).includes('"@type"')) return JSON.stringify(value, null, 2);
    const rows = value.map((item) =>
      Object.entries(item as object)
        .map(([key, inner]) => `${key}: ${plain(inner)}`)
        .join('; '),
    );
    return rows.join('\n');
  } catch {
    return null;
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ') : JSON.stringify(value);
}
