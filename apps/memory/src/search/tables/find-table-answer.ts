import { cutText } from '@cairn/language';
import { mayAskRows } from '@cairn/documents';
import type { FoundChunk } from '../../documents/chunk-store.ts';
import type { OpenMemory } from '../../memories/engines.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { ComposedAnswer } from '../answer/passage.ts';
import { piecesOf } from '../answer/pieces.ts';
import { type FoundPassage, passageOf } from '../find-passages.ts';
import type { TableAnswers } from './table-answers.ts';
import type { RowsAnswer, RowsChunk, TableTask } from './answer-from-rows.ts';

/** Best passages that say which tables the question is about. */
const PASSAGES = 5;
/** Tables of more chunks together, about 5 MB, are searched and not computed over: a question reads all of them. */
const CHUNKS_MAX = 5_000;
const SNIPPET_MAX_CHARS = 300;

interface TableAnswer {
  composed: ComposedAnswer;
  rows: FoundPassage[];
}

/** All rows of a table, as its document's chunks hold them. */
export interface TableDocument {
  title: string;
  chunks: FoundChunk[];
}

/**
 * The tables that the best passages are rows of, whole, in the order of the passages; none when the question cannot be
 * one to them, or when one of them is too large, because it may be the one that is meant.
 */
export async function readTables(
  { tx }: OpenMemory,
  scope: MemoryScope,
  question: string,
  passages: readonly FoundPassage[],
): Promise<TableDocument[]> {
  const best = passages.slice(0, PASSAGES).filter(({ chunk }) => typeof chunk.location['row'] === 'number');
  if (
    !mayAskRows(
      question,
      best.flatMap(({ chunk }) => chunk.body.split('\n')),
    )
  )
    return [];
  const documents = new Map(best.map(({ chunk }) => [chunk.doc_id, chunk]));
  const tables: TableDocument[] = [];
  let left = CHUNKS_MAX;
  for (const { doc_id, title, source_uri } of documents.values()) {
    const rows = await tx.query<Omit<FoundChunk, 'title' | 'source_uri'>>(
      `SELECT chunk_id, doc_id, vault_id, title_path, body, location, occurred_at FROM chunks
        WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 AND location->'row' IS NOT NULL ORDER BY ordinal LIMIT $4`,
      [scope.tenantId, scope.memoryId, doc_id, left + 1],
    );
    if (rows.length > left) return [];
    left -= rows.length;
    tables.push({ title, chunks: rows.map((row) => ({ ...row, title, source_uri })) });
  }
  return tables;
}

/** What tables that were found say to the whole question; null when they say nothing. */
export async function answerFromTables(
  answers: TableAnswers,
  tenantId: string,
  question: string,
  tables: readonly TableDocument[],
  signal: AbortSignal,
): Promise<TableAnswer | null> {
  if (tables.length === 0) return null;
  const answer = await answers.answer(tenantId, tableTask(question, tables), signal);
  return answer === null ? null : composeTableAnswer(answer, tables);
}

/** Those that a search has not found anyway. */
export function unlisted(rows: readonly FoundPassage[], passages: readonly FoundPassage[]): FoundPassage[] {
  const listed = new Set(passages.map(({ chunk }) => chunk.chunk_id));
  return rows.filter(({ chunk }) => !listed.has(chunk.chunk_id));
}

function tableTask(question: string, tables: readonly TableDocument[]): TableTask {
  return { question, documents: tables.map(({ title, chunks }) => ({ title, chunks: chunks.map(rowsChunk) })) };
}

function rowsChunk({ body, location }: FoundChunk): RowsChunk {
  const [row, rowEnd, sheet] = [location['row'], location['row_end'], location['sheet']];
  return {
    body,
    row: Number(row),
    rowEnd: Number(rowEnd ?? row),
    sheet: typeof sheet === 'string' ? sheet : null,
  };
}

/** The answer as a search gives it, with the rows that say it as further passages. */
function composeTableAnswer(
  { text, confidence, document, chunks }: RowsAnswer,
  tables: readonly TableDocument[],
): TableAnswer {
  const rows = chunks.map((place) => ({ chunk: tables[document]!.chunks[place]!, score: 1, parts: undefined }));
  const cited = rows.map((row) => {
    const snippet = cutText(row.chunk.body, SNIPPET_MAX_CHARS);
    return { passage: passageOf(row), snippet, span: { start: 0, end: snippet.length } };
  });
  const whole = `${text} ${cited.map((_one, index) => `[${index + 1}]`).join(' ')}`;
  return { composed: { text: whole, pieces: piecesOf(whole), cited, confidence }, rows };
}
