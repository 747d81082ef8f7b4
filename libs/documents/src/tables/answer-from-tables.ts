import { execute, type TableResult } from './execute.ts';
import { parseQuestion } from './parse-question.ts';
import { readTable } from './read-table.ts';
import type { RawTable, Table } from './table.ts';
import { nameWords } from './words.ts';
import { type TableAnswer, writeAnswer } from './write-answer.ts';

interface FoundAnswer extends TableAnswer {
  /** Which of the tables says it. */
  table: number;
}

const QUESTION_MAX_CHARS = 500;

/**
 * What a table that understands the whole question says; null when none does, and when several do and the question
 * does not say which of them it means. Computed over all rows, without a model, and the same for the same input.
 */
export function answerFromTables(question: string, tables: readonly RawTable[]): FoundAnswer | null {
  if (question.length > QUESTION_MAX_CHARS) return null;
  const found = tables.flatMap((raw, index) => {
    const table = readTable(raw);
    const query = table === null ? null : parseQuestion(question, table);
    if (table === null || query === null) return [];
    const result = execute(query, table);
    const answer = result === null ? null : writeAnswer(query, result, table);
    // A table that cannot answer may be the one that is meant.
    return [
      {
        answer: answer === null ? null : { ...answer, table: index },
        table,
        isEmpty: result !== null && isEmpty(result),
      },
    ];
  });
  const named = found.length > 1 ? meant(question, found) : found;
  const conclusive = named.filter(({ isEmpty: none }) => !none);
  const [only, ...more] = conclusive.length > 0 ? conclusive : named;
  if (only === undefined || only.answer === null) return null;
  const value = ({ answer }: { answer: FoundAnswer | null }) => answer?.text.split('“')[0];
  return more.every((other) => value(other) === value(only)) ? only.answer : null;
}

function isEmpty(result: TableResult): boolean {
  return (result.kind === 'rows' ? result.rows : result.matching).length === 0;
}

/** The tables whose titles share the most distinguishing words with the question; all of them when none shares any. */
function meant<T extends { table: Table }>(question: string, found: readonly T[]): T[] {
  const said = new Set(nameWords(question).map(({ stem }) => stem));
  const conclusive = found.map(({ table }) => {
    const others = found.filter((other) => other.table !== table);
    const own = table.titleWords.filter(({ stem }) =>
      others.some((other) => !other.table.titleWords.some((word) => word.stem === stem)),
    );
    return own.filter(({ stem }) => said.has(stem)).length;
  });
  const most = Math.max(...conclusive);
  return found.filter((_one, index) => conclusive[index] === most);
}
