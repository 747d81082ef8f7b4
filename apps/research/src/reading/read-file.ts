import { documentText, parseDocument, ParseFailure, type ParseFailureCode } from '@cairn/documents';

/** The text of a reference file, or why it cannot be read. */
export type FileText =
  | { ok: true; mediaType: string; text: string }
  | { ok: false; reason: 'unsupported' | 'unreadable' | 'empty' };

const TEXT_MAX_CHARS = 5_000_000;
const REASONS: Partial<Record<ParseFailureCode, 'unsupported' | 'empty'>> = {
  unsupported_format: 'unsupported',
  empty_document: 'empty',
  no_text: 'empty',
};

/** Reads a file by its content, whatever its name says: one text with a `#` line for each heading. */
export async function readFile(bytes: Uint8Array, fileName: string): Promise<FileText> {
  try {
    const { mediaType, title, context, blocks } = await parseDocument(bytes, {
      fileName,
      mediaType: '',
      recordsAsRows: true,
    });
    const body = documentText(blocks, title);
    const text = context === '' ? body : `${context}\n\n${body}`;
    return { ok: true, mediaType, text: text.slice(0, TEXT_MAX_CHARS).toWellFormed() };
  } catch (error) {
    return { ok: false, reason: (error instanceof ParseFailure ? REASONS[error.code] : undefined) ?? 'unreadable' };
  }
}
