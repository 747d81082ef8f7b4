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
  confidence: number;
  /** Place of the document, and of its chunks that hold the rows that say it. */
  document: number;
  chunks: number[];
}

/** A task of worker processes: what the rows of the documents say to the question, where one table alone can tell. */
export function answerFromRows({ question, documents }: TableTask): RowsAnswer | null {
  const all = documents.flatMap(({ title, chunks }, document) => {
    const rows = rowsOf(title, chunks);
    return tablesOfRows(rows ?? []).map((table) => ({ document, table }));
  });
  const answer = answerFromTables(
    question,
    all.map(({ table }) => table),
  );
  if (answer === null) return null;
  const { document, table } = all[answer.table]!;
  const { title, chunks } = documents[document]!;
  const holds = (row: number) =>
    chunks.findIndex((chunk) => titleOf(title, chunk) === table.title && chunk.row <= row && row <= chunk.rowEnd);
  const places = answer.rows.map(holds).filter((place) => place >= 0);
  const { text, confidence } = answer;
  return { text, confidence, document, chunks: [...new Set(places.length > 0 ? places : [0])] };
}

function titleOf(title: string, { sheet }: RowsChunk): string {
  return sheet === null ? title : `${title}, ${sheet}`;
}

/** A row that is cut within a word is cut there. */
const PIECE_CHARS = 1_800;

/** Null when a chunk has other lines than rows: figures over the rest would be wrong. */
function rowsOf(title: string, chunks: readonly RowsChunk[]): RowText[] | null {
  const rows: RowText[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const name = titleOf(title, chunk);
    const before = chunks[index - 1];
    const lines = chunk.body.split('\n');
    let { row } = chunk;
    // A long row is cut into several chunks, and its end may have the next rows with it.
    if (before !== undefined && before.rowEnd === row && titleOf(title, before) === name) {
      const piece = lines.shift()!;
      const last = rows.at(-1)!;
      last.text += before.body.length === PIECE_CHARS ? piece : ` ${piece}`;
      row += 1;
    }
    // Rows without a cell have no line.
    if (lines.length > chunk.rowEnd - row + 1) return null;
    rows.push(...lines.map((text, line) => ({ text, row: row + line, title: name })));
  }
  return rows;
}
