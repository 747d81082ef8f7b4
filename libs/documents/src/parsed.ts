import { type NamedText, type NamedValue, plain, trimmed } from './named-value.ts';

/** Where a piece of text lies in its document. Characters count in the text as it was sent, or as it was extracted. */
export interface BlockLocation {
  char_start: number;
  char_end: number;
  /** Page of a PDF, slide of a presentation, chapter of a book; from 1. */
  page?: number;
  page_end?: number;
  /** Row of a table below its header, from 1. */
  row?: number;
  row_end?: number;
  sheet?: string;
  /** Place in a JSON document, such as `$.items[3]`. */
  path?: string;
}

/** A location with its words changed. */
export function withWords(location: BlockLocation, change: (words: string) => string): BlockLocation {
  const { sheet, path } = location;
  return {
    ...location,
    ...(sheet === undefined ? {} : { sheet: change(sheet) }),
    ...(path === undefined ? {} : { path: change(path) }),
  };
}

/** A paragraph, list, row or other piece that belongs together. */
export interface Block {
  text: string;
  /** Titles from the document's first heading down to the section. */
  headings: readonly string[];
  location: BlockLocation;
  /** A listing of a program, a terminal or a configuration: found and shown, and never quoted as prose. */
  kind?: 'code';
  /** Values in the text that the document names by a column, a key, an element or a term. */
  values?: readonly NamedValue[];
}

export interface ParsedDocument {
  mediaType: string;
  /** What the document calls itself, or null. */
  title: string | null;
  /** Words that hold for all of it and that a piece alone may lack, such as the sender of a mail. */
  context: string;
  blocks: Block[];
  /** ISO 8601; null when the document names no time of its own. */
  occurredAt: string | null;
}

/** Why a document could not be read: a code for programs and a sentence for whoever sent it. */
export type ParseFailureCode =
  | 'empty_document'
  | 'no_text'
  | 'unsupported_format'
  | 'password_required'
  | 'broken_file'
  | 'unsafe_file'
  | 'too_much_content'
  | 'nested_too_deep';

export class ParseFailure extends Error {
  readonly code: ParseFailureCode;

  constructor(code: ParseFailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ParseFailure';
    this.code = code;
  }
}

/** Most text that one document may hold, in characters. */
export const DOCUMENT_MAX_CHARS = 12_000_000;

/** Collects blocks one after the other, counts their characters, and refuses what grows past the bound. */
export class BlockList {
  readonly blocks: Block[] = [];
  private chars = 0;

  add(
    piece: string | NamedText,
    headings: readonly string[] = [],
    place: Omit<BlockLocation, 'char_start' | 'char_end'> = {},
    kind?: Block['kind'],
  ): void {
    const { text, values } = trimmed(typeof piece === 'string' ? plain(piece) : piece);
    if (text === '') return;
    const start = this.chars;
    this.chars += text.length + BETWEEN_BLOCKS.length;
    if (this.chars > DOCUMENT_MAX_CHARS) throw tooMuchContent();
    this.blocks.push({
      text,
      headings: [...headings],
      location: { char_start: start, char_end: start + text.length, ...place },
      ...(kind === undefined ? {} : { kind }),
      ...(values.length === 0 ? {} : { values }),
    });
  }
}

export const BETWEEN_BLOCKS = '\n\n';

/** A block as it stands in a chunk or a text: code between fences that it does not contain. */
export function blockText({ text, kind }: Pick<Block, 'text' | 'kind'>): string {
  if (kind !== 'code') return text;
  const fence = text.includes('```') ? '~~~' : '```';
  return `${fence}\n${text}\n${fence}`;
}

export function tooMuchContent(): ParseFailure {
  return new ParseFailure('too_much_content', 'The document holds more text than one document may. Send it in parts.');
}
