import { displayable } from '@cairn/contracts';
import {
  type Block,
  chunkBlocks,
  DOCUMENT_MAX_CHARS,
  type ParsedDocument,
  parseDocument,
  ParseFailure,
  putBlocks,
  type PutText,
  shorten,
  storable,
} from '@cairn/documents';
import { countTerms } from '../routing/terms.ts';
import { putMetadata } from './put-metadata.ts';
import { maskTexts, type ScreenedText } from '@cairn/screening';
import type { PrepareOutcome, DocumentToPrepare } from './prepared-document.ts';

const UNTITLED = 'Untitled';

/** Reads, screens and cuts one document. What is wrong with the document is an answer; only our own faults throw. */
export async function prepareDocument(document: DocumentToPrepare): Promise<PrepareOutcome> {
  try {
    const parsed = await parseDocument(document.content, document);
    return await screenAndCut(document, parsed);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { ok: false, code: failure.code, message: failure.message, ...(await nameOf(document)) };
  }
}

/** What a document that could not be read may be called: screened like everything else. */
export async function nameOf(document: DocumentToPrepare): Promise<{ title: string; url: string | null }> {
  const named = document.title ?? (document.fileName === '' ? (document.url ?? UNTITLED) : document.fileName);
  const { segments } = await maskTexts([shorten(storable(named)), document.url ?? ''], document.policy);
  return { title: segments[0]!, url: document.url === null ? null : segments[1]! };
}

function failureOf(error: unknown): ParseFailure | null {
  if (error instanceof ParseFailure) return error;
  // Readers recurse over what they read; a stack that is used up is the document's doing.
  if (error instanceof RangeError && /call stack|string length/i.test(error.message))
    return new ParseFailure('nested_too_deep', 'The document is nested too deep, or too large, to be read.', error);
  return null;
}

async function screenAndCut(document: DocumentToPrepare, parsed: ParsedDocument): Promise<PrepareOutcome> {
  const texts = textsOf(document, parsed);
  const { segments, counts } = await maskTexts(texts.all, document.policy);
  const masked = texts.read(segments);
  const chunks = chunkBlocks(masked.blocks, { title: masked.chunkTitle, context: masked.context });
  if (chunks.length === 0)
    throw new ParseFailure('no_text', 'The document holds no text. Pictures of text are not read.');
  return {
    ok: true,
    title: masked.title,
    mediaType: parsed.mediaType,
    metadata: masked.metadata,
    url: masked.url,
    occurredAt: parsed.occurredAt,
    chunks,
    masked: counts,
    terms: document.withTerms ? countTerms([masked.title, ...masked.blocks.map((block) => block.text)]) : [],
  };
}

interface Masked {
  title: string;
  chunkTitle: string | null;
  context: string;
  metadata: Record<string, unknown>;
  url: string | null;
  blocks: Block[];
}

/** Every text of a document that is to be stored, in one list, and the way back from the list as it was masked. */
function textsOf(
  document: DocumentToPrepare,
  parsed: ParsedDocument,
): { all: ScreenedText[]; read(masked: string[]): Masked } {
  const all: ScreenedText[] = [];
  const put: PutText = (text, values = []) => all.push({ text, values }) - 1;

  const first = firstLineOf(parsed);
  const made = parsed.title ?? (document.fileName === '' ? first.text : document.fileName);
  const title = put(shorten(storable(document.title ?? made)), made === first.text ? first.values : []);
  // A title made up from the first line says nothing that the text does not.
  const own = document.title !== null && document.title !== made ? document.title : parsed.title;
  const chunkTitle = own === null ? null : put(storable(own));
  const url = document.url === null ? null : put(document.url);
  const context = put(parsed.context);
  const metadata = putMetadata(document.metadata, put);
  const blocks = putBlocks(parsed.blocks, put);
  if (all.reduce((sum, { text }) => sum + text.length, 0) > DOCUMENT_MAX_CHARS * 1.2)
    throw new ParseFailure('too_much_content', 'The document holds more text than one document may. Send it in parts.');
  return {
    all,
    read: (masked) => ({
      title: orUntitled(displayable(masked[title]!)),
      chunkTitle: chunkTitle === null ? null : masked[chunkTitle]!,
      url: url === null ? null : masked[url]!,
      context: masked[context]!,
      metadata: metadata((place) => masked[place]!),
      blocks: blocks((place) => masked[place]!),
    }),
  };
}

function orUntitled(title: string): string {
  return title.trim() === '' ? UNTITLED : title;
}

/** The first heading or line, with the named values in it, so that it is screened as it is in the text. */
function firstLineOf({ blocks: [first] }: ParsedDocument): ScreenedText {
  const heading = first?.headings[0];
  if (first === undefined || heading !== undefined) return { text: heading ?? UNTITLED, values: [] };
  const line = first.text.split('\n', 1)[0]!.trim();
  const values = (first.values ?? []).flatMap((value) =>
    value.start < line.length ? [{ ...value, end: Math.min(value.end, line.length) }] : [],
  );
  return { text: line === '' ? UNTITLED : line, values };
}
