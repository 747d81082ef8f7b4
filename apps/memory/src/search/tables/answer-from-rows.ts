import { answerFromTables, type RowText, tablesOfRows } from '@cairn/documents';

/** A chunk of a table's rows, as it is stored. */
export interface RowsChunk {
  body: string;
  row: number;
  rowEnd: number;
  sheet: string | null;
}

export interface TableTask {
  question: string;
  documents: readonly { title: string; chunks: readonly RowsChunk[] }[];
}

export interface RowsAnswer {
  text: string;
  /** Place of the document, and of its chunks that hold the rows that say it. */
  document: number;
  chunks: number[];
}

/** A task of worker processes: what the rows of the first document that can tell say to the question. */
export function answerFromRows({ question, documents }: TableTask): RowsAnswer | null {
  for (const [document, { title, chunks }] of documents.entries()) {
    const rows = rowsOf(title, chunks);
    if (rows === null) continue;
    const tables = tablesOfRows(rows);
    const answer = answerFromTables(question, tables);
    if (answer === null) continue;
    const name = tables[answer.table]!.title;
    const holds = (row: number) =>
      chunks.findIndex((chunk) => titleOf(title, chunk) === name && chunk.row <= row && row <= chunk.rowEnd);
    const places = answer.rows.map(holds).filter((place) => place >= 0);
    return { text: answer.text, document, chunks: [...new Set(places.length > 0 ? places : [0])] };
  }
  return null;
}

function titleOf(title: string, { sheet }: RowsChunk): string {
  return sheet === null ? title : `${title}, ${sheet}`;
}

/** Null when a chunk has other lines than rows: figures over the rest would be wrong. */
function rowsOf(title: string, chunks: readonly RowsChunk[]): RowText[] | null {
  const rows: RowText[] = [];
  for (const chunk of chunks) {
    const name = titleOf(title, chunk);
    const last = rows.at(-1);
    // A long row is cut into several chunks.
    if (chunk.row === chunk.rowEnd && last?.row === chunk.row && last.title === name) {
      last.text += ` ${chunk.body}`;
      continue;
    }
    const lines = chunk.body.split('\n');
    if (lines.length !== chunk.rowEnd - chunk.row + 1) return null;
    rows.push(...lines.map((text, index) => ({ text, row: chunk.row + index, title: name })));
  }
  return rows;
}
