import { execute } from './execute.ts';
import { parseQuestion } from './parse-question.ts';
import { type RawTable, readTable } from './table.ts';
import { type TableAnswer, writeAnswer } from './write-answer.ts';

interface FoundAnswer extends TableAnswer {
  /** Which of the tables says it. */
  table: number;
}

const QUESTION_MAX_CHARS = 500;

/**
 * What the first table that understands the whole question says; null when none does. Computed over all rows, without
 * a model, and the same for the same input.
 */
export function answerFromTables(question: string, tables: readonly RawTable[]): FoundAnswer | null {
  if (question.length > QUESTION_MAX_CHARS) return null;
  for (const [index, raw] of tables.entries()) {
    const table = readTable(raw);
    const query = table === null ? null : parseQuestion(question, table);
    const answer = table === null || query === null ? null : writeAnswer(query, execute(query, table), table);
    if (answer !== null) return { ...answer, table: index };
  }
  return null;
}
