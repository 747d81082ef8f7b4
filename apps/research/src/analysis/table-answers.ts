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
    // The most of tables must not cut off a file for those of pages.
    .toSorted(
      (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || compare(a.title, b.title) || compare(a.body, b.body),
    )
    .flatMap((source) => tablesOfSource(source).map((table) => ({ ...table, title: source.title, kind: source.kind })))
    .slice(0, TABLES_MAX);
  if (tables.length === 0) return [];
  // Two questions taken for one would be answered with the conditions of both.
  const whole = questions.slice(1).every(leans) ? answerOf(prompt, tables) : null;
  if (whole !== null) return [{ ...whole, questions: questions.map((_, at) => at) }];
  const answers: TableAnswer[] = [];
  questions.forEach((question, at) => {
    const before = questions[at - 1];
    const together =
      before === undefined || !leans(question)
        ? null
        : answerOf(`${stripped(before)}, and ${lowerFirst(question)}`, tables);
    const last = answers.at(-1);
    if (together !== null && last?.questions.at(-1) === at - 1 && last.questions.length === 1) answers.pop();
    const found = together ?? answerOf(question, tables);
    if (found !== null) answers.push({ ...found, questions: together === null ? [at] : [at - 1, at] });
  });
  return answers;
}

const POINTING = /\b(?:it|its|they|their|them|he|his|him|she|her)\b/i;
const ASKING = /^(?:\p{L}{1,12} )?(?:what|which|who|whom|whose|how|where|when|is|are|do|does|did)\b/iu;
const FRAGMENT_MAX_WORDS = 2;
/** A further question in the same sentence. */
const SECOND = /\band (?:what|which|who|whom|whose|how|where|when)\b[^]{12,}$/i;

/** Whether a question is about what the one before it asks: "what was its revenue", "their ids". */
function leans(question: string): boolean {
  return POINTING.test(question) || (!ASKING.test(question) && question.split(' ').length <= FRAGMENT_MAX_WORDS);
}

/** Asks for an explanation, of which a cell that has the same words is none. */
const EXPLAINED = /^\W*(?:why|what happen(?:s|ed)|how (?:do|does|did|is|are|was|were|can|could|should|to))\b/i;

type CandidateTable = SourceTable & Pick<TableSource, 'title' | 'kind'>;

function answerOf(question: string, tables: readonly CandidateTable[]): Omit<TableAnswer, 'questions'> | null {
  const more = SECOND.exec(question)?.[0];
  if (EXPLAINED.test(question) || (more !== undefined && !POINTING.test(more))) return null;
  for (const kind of ORDER) {
    const own = tables.filter((table) => table.kind === kind);
    const answer = answerAmong(question, own);
    if (answer !== null) return answer;
    // Several of them could be meant: a table of another kind is then not the one.
    if (own.length > 1 && own.some((table) => answerAmong(question, [table]) !== null)) return null;
  }
  return null;
}

function answerAmong(question: string, tables: readonly CandidateTable[]): Omit<TableAnswer, 'questions'> | null {
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
