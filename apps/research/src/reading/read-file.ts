import { type Block, documentText, parseDocument, ParseFailure, type ParseFailureCode } from '@cairn/documents';

/** The texts of a reference file, or why it cannot be read. */
export type FileTexts =
  | { ok: true; mediaType: string; title: string | null; context: string; blocks: Block[] }
  | { ok: false; reason: 'unsupported' | 'unreadable' | 'empty' };

const TEXT_MAX_CHARS = 5_000_000;
const REASONS: Partial<Record<ParseFailureCode, 'unsupported' | 'empty'>> = {
  unsupported_format: 'unsupported',
  empty_document: 'empty',
  no_text: 'empty',
};

/** Reads a file by its content, whatever its name says. */
export async function readFile(bytes: Uint8Array, fileName: string): Promise<FileTexts> {
  try {
    const { mediaType, title, context, blocks } = await parseDocument(bytes, {
      fileName,
      mediaType: '',
      recordsAsRows: true,
    });
    return { ok: true, mediaType, title, context, blocks };
  } catch (error) {
    return { ok: false, reason: (error instanceof ParseFailure ? REASONS[error.code] : undefined) ?? 'unreadable' };
  }
}

/** One text of a file, with a `#` line for each heading. */
export function textOfFile({ title, context, blocks }: Pick<FileTexts & { ok: true }, 'title' | 'context' | 'blocks'>) {
  const body = documentText(blocks, title);
  const text = context === '' ? body : `${context}\n\n${body}`;
  return text.slice(0, TEXT_MAX_CHARS).toWellFormed();
}
