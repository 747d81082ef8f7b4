import { getDocumentProxy } from 'unpdf';
import { BlockList, DOCUMENT_MAX_CHARS, type ParsedDocument, ParseFailure, tooMuchContent } from '../parsed.ts';

const PAGES_MAX = 5_000;
/** A gap between lines of so many times their height begins a paragraph. */
const PARAGRAPH_GAP = 1.6;

interface Line {
  text: string;
  y: number;
  height: number;
}

interface TextItem {
  str: string;
  hasEOL: boolean;
  height: number;
  transform: number[];
}

/** The text of a PDF, page by page. Scripts, actions, forms and attachments are never looked at. */
export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
  // The reader takes its bytes away; what was given stays the caller's.
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
    maxImageSize: 1,
    verbosity: 0,
  }).catch((error: unknown) => {
    throw failureOf(error);
  });
  try {
    if (document.numPages > PAGES_MAX) throw tooMuchContent();
    const list = new BlockList();
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      for (const paragraph of paragraphsOf(items as unknown as TextItem[])) list.add(paragraph, [], { page: number });
      page.cleanup();
    }
    return {
      mediaType: 'application/pdf',
      title: await titleOf(document),
      context: '',
      blocks: list.blocks,
      occurredAt: null,
    };
  } catch (error) {
    throw failureOf(error);
  } finally {
    await document.loadingTask.destroy().catch(() => undefined);
  }
}

function failureOf(error: unknown): ParseFailure {
  if (error instanceof ParseFailure) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException')
    return new ParseFailure('password_required', 'The file is protected by a password. Send it without one.', error);
  return new ParseFailure('broken_file', 'The file is damaged: it cannot be read as a PDF.', error);
}

async function titleOf(document: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string | null> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const title = (info as { Title?: unknown }).Title;
  const text = typeof title === 'string' ? title.replace(/\s+/g, ' ').trim() : '';
  // Names that programs gave to their files say nothing.
  return text === '' || /^(?:untitled|microsoft word\b|.*\.(?:docx?|pptx?|indd|tex|dvi|qxd))/i.test(text) ? null : text;
}

function paragraphsOf(items: readonly TextItem[]): string[] {
  const paragraphs: string[] = [];
  let lines: Line[] = [];
  const close = () => {
    const text = joinLines(lines.map((line) => line.text));
    if (text !== '') paragraphs.push(text);
    lines = [];
  };
  for (const line of linesOf(items)) {
    const before = lines.at(-1);
    if (before !== undefined) {
      const gap = Math.abs(before.y - line.y);
      const height = Math.max(before.height, line.height, 1);
      // A line further up is another column.
      if (gap > height * PARAGRAPH_GAP || line.y > before.y + height) close();
    }
    lines.push(line);
  }
  close();
  return paragraphs;
}

function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let text = '';
  let place: { y: number; height: number } | null = null;
  const close = () => {
    if (place !== null && text.trim() !== '') lines.push({ text: text.trim(), ...place });
    text = '';
    place = null;
  };
  let chars = 0;
  for (const item of items) {
    chars += item.str.length;
    if (chars > DOCUMENT_MAX_CHARS) throw tooMuchContent();
    place ??= { y: item.transform[5] ?? 0, height: item.height };
    if (place.height === 0) place.height = item.height;
    text += item.str;
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

/** A word that was hyphenated at the end of its line is one word again. */
function joinLines(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line)) text = text.slice(0, -1) + line;
    else text += text === '' ? line : `\n${line}`;
  }
  return text;
}
