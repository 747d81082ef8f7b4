import { boundNames } from './bound-names.ts';
import { csvDelimiterOf, parseCsv } from './formats/csv.ts';
import { decodeText } from './formats/decode-text.ts';
import { parseJson, readJson } from './formats/json.ts';
import { looksLikeMail, parseMail } from './formats/mail.ts';
import { parseTextBlocks } from './formats/markdown.ts';
import { DOCUMENT_MAX_CHARS, type ParsedDocument, ParseFailure, tooMuchContent } from './parsed.ts';
import { storable, storableDocument } from './storable.ts';

/** What a sender says of a file; only decides where the content leaves it open. */
interface Hints {
  fileName: string;
  mediaType: string;
  /** Makes every flat object in a JSON document a row, `name: value; name: value`. Default: small values stay together. */
  recordsAsRows?: boolean;
}

export const NO_HINTS: Hints = { fileName: '', mediaType: '' };
const MARK_BYTES = 1_024;
/** What programs that were made for a web server write before a page. */
const PAGE_HEADER = /^content-type:\s?text\/html[^\n]{0,80}\n\s{0,4}\n/i;

/** Reads a document by what it is, whatever its name says. Throws `ParseFailure`. Readers are loaded when first used. */
export async function parseDocument(content: Uint8Array | string, hints: Hints = NO_HINTS): Promise<ParsedDocument> {
  if (content.length === 0) throw new ParseFailure('empty_document', 'The document is empty.');
  const parsed = storableDocument(
    typeof content === 'string' ? await parseText(storable(content), hints) : await parseBytes(content, hints),
  );
  if (parsed.blocks.length === 0)
    throw new ParseFailure('no_text', 'The document holds no text. Pictures of text are not read.');
  return boundNames(parsed);
}

async function parseBytes(bytes: Uint8Array, hints: Hints): Promise<ParsedDocument> {
  const mark = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(MARK_BYTES, bytes.length)).toString('latin1');
  if (mark.includes('%PDF-')) return (await import('./formats/pdf.ts')).parsePdf(bytes);
  if (mark.startsWith('PK\x03\x04') || mark.startsWith('PK\x05\x06'))
    return (await import('./formats/archive.ts')).parseArchive(bytes);
  if (mark.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw failureOfCompound(bytes);
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  // Mails and mark-up are distinguished as text.
  if (type !== undefined && !/^(?:text\/|message\/|application\/(?:xml|json))/.test(type.mime)) {
    throw unsupported(type.ext.toUpperCase());
  }
  const charset =
    /<meta\s[^<>]{0,200}?charset=["']?([\w-]+)/i.exec(mark)?.[1] ?? /charset=([\w-]+)/i.exec(hints.mediaType)?.[1];
  const text = decodeText(bytes, charset);
  if (text === null) throw unsupported('this kind of binary file');
  // A mail says for each of its parts how it is encoded.
  return looksLikeMail(text) ? parseMail(bytes) : parseText(text, hints);
}

async function parseText(text: string, hints: Hints): Promise<ParsedDocument> {
  if (text.length > DOCUMENT_MAX_CHARS) throw tooMuchContent();
  if (text.trim() === '') throw new ParseFailure('empty_document', 'The document is empty.');
  const page = text.replace(PAGE_HEADER, '');
  if (page.length < text.length && looksLikeHtml(page)) return (await import('./formats/html.ts')).parseHtml(page);
  const json = readJson(text);
  if (json !== null) return parseJson(json.value, hints.recordsAsRows);
  if (looksLikeMail(text)) return parseMail(text);
  if (looksLikeSvg(text.slice(0, MARK_BYTES))) throw unsupported('SVG');
  if (looksLikeHtml(text)) return (await import('./formats/html.ts')).parseHtml(text);
  const named = /\.(?:csv|tsv)$/i.test(hints.fileName) || /csv|tab-separated/i.test(hints.mediaType);
  const delimiter = csvDelimiterOf(text, named);
  return delimiter === null ? parseTextBlocks(text) : parseCsv(text, delimiter);
}

function looksLikeSvg(start: string): boolean {
  return /^\s*<svg[\s>]/i.test(start) || (/^\s*<(?:\?xml|!doctype svg)[\s>]/i.test(start) && /<svg[\s>]/i.test(start));
}

function looksLikeHtml(text: string): boolean {
  const start = text.slice(0, 4_096).trimStart();
  if (/^<(?:!doctype html|html|head|body)[\s>]/i.test(withoutPrologue(start))) return true;
  // A fragment: begins with an element of a page and closes several.
  return (
    /^<(?:div|p|article|section|main|table|ul|ol|h[1-6]|header|nav|span|meta|title)[\s>]/i.test(start) &&
    (text.slice(0, 65_536).match(/<\/(?:div|p|article|section|table|ul|ol|h[1-6]|li|a|span)>/gi)?.length ?? 0) >= 2
  );
}

/** What follows an XML declaration and comments; nothing when one of them has no end. */
function withoutPrologue(start: string): string {
  let rest = start.replace(/^<\?xml[^<>]*\?>/i, '').trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', '<!--'.length);
    if (end < 0) return '';
    rest = rest.slice(end + '-->'.length).trimStart();
  }
  return rest;
}

/** Compound files are the Office formats of before 2007, Outlook's messages, and today's formats when encrypted. */
function failureOfCompound(bytes: Uint8Array): ParseFailure {
  const encrypted = Buffer.from('EncryptedPackage', 'utf16le');
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(encrypted))
    return new ParseFailure('password_required', 'The file is protected by a password. Send it without one.');
  return new ParseFailure(
    'unsupported_format',
    'Office files of before 2007 and Outlook messages are not read. Save it as DOCX, XLSX, PPTX, EML or PDF.',
  );
}

function unsupported(what: string): ParseFailure {
  return new ParseFailure(
    'unsupported_format',
    `${what} is not read. Text, Markdown, HTML, PDF, DOCX, XLSX, PPTX, EPUB, CSV, JSON and EML are.`,
  );
}
