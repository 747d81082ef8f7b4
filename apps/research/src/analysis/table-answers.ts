import { answerFromTables } from '@cairn/documents';
import { type SourceTable, tablesOfSource } from './source-tables.ts';

/** What a table says to questions of a request, computed over all of its rows. */
export interface TableAnswer {
  /** By their places in the request. */
  questions: number[];
  text: string;
  source_id: string;
  title: string;
  /** Rows that show it. */
  rows: { start_at: number; quote: string }[];
}

interface TableSource {
  source_id: string;
  title: string;
  body: string;
  kind: 'memory' | 'web' | 'upload';
}

/** Files of the asker come first: they were sent for this question. */
const ORDER = ['upload', 'memory', 'web'] as const;
/** A text of this length may have been cut, and with it its table. */
const WHOLE_MAX_CHARS = 2_000_000;
const TABLES_MAX = 100;

/**
 * Answers what tables can answer: the whole prompt where one understands it, else question by question. A question
 * that leans on the one before it ("and what was its revenue?") is asked together with that.
 */
export function answersOfTables(
  { prompt, questions }: { prompt: string; questions: readonly string[] },
  sources: readonly TableSource[],
): TableAnswer[] {
  const tables = sources
    .filter(({ body }) => body.length < WHOLE_MAX_CHARS)
    .toSorted(
      (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || compare(a.title, b.title) || compare(a.body, b.body),
    )
    .flatMap((source) => tablesOfSource(source).map((table) => ({ ...table, title: source.title })))
    .slice(0, TABLES_MAX);
  if (tables.length === 0) return [];
  const whole = answerOf(prompt, tables);
  if (whole !== null) return [{ ...whole, questions: questions.map((_, at) => at) }];
  const answers: TableAnswer[] = [];
  questions.forEach((question, at) => {
    const before = questions[at - 1];
    const together = before === undefined ? null : answerOf(`${stripped(before)}, and ${lowerFirst(question)}`, tables);
    const last = answers.at(-1);
    if (together !== null && last?.questions.at(-1) === at - 1 && last.questions.length === 1) answers.pop();
    const found = together ?? answerOf(question, tables);
    if (found !== null) answers.push({ ...found, questions: together === null ? [at] : [at - 1, at] });
  });
  return answers;
}

function answerOf(
  question: string,
  tables: readonly (SourceTable & { title: string })[],
): Omit<TableAnswer, 'questions'> | null {
  const answer = answerFromTables(
    question,
    tables.map(({ table }) => table),
  );
  if (answer === null) return null;
  const { sourceId, title, rows } = tables[answer.table]!;
  // That no row fits is shown by the table as a whole, of which the first row is a part.
  const shown = answer.rows.length === 0 ? [1] : answer.rows;
  return {
    text: answer.text,
    source_id: sourceId,
    title,
    rows: shown.map((row) => ({ start_at: rows[row - 1]!.start, quote: rows[row - 1]!.text })),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function stripped(question: string): string {
  return question.replace(/[?.]$/, '');
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
