export { chunkBlocks, chunkText, type TextChunk, TITLE_SEPARATOR } from './chunk-text.ts';
export { blocksOfTree, documentText } from './document-text.ts';
export type { DomNode } from './formats/html-blocks.ts';
export { parseDocument } from './parse-document.ts';
export {
  type Block,
  type BlockLocation,
  DOCUMENT_MAX_CHARS,
  type ParsedDocument,
  ParseFailure,
  type ParseFailureCode,
} from './parsed.ts';
export { storable } from './storable.ts';
export { shorten } from './text-kind.ts';
export { answerFromTables } from './tables/answer-from-tables.ts';
export { mayAskRows } from './tables/may-ask-rows.ts';
export type { RawTable } from './tables/table.ts';
export { type RowText, tablesOfRows } from './tables/tables-of-rows.ts';
