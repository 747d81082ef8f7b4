import { table } from '../../measurement/page.ts';
import { callersTable } from './pipeline-report.ts';
import type { SessionsResult } from './sessions.ts';

/** The section of the page. */
export function sessionsSection(
  { documents, chunks, characters, questions, first, again }: SessionsResult,
  head: string,
): string {
  const count = (of: number) => of.toLocaleString('en');
  return [
    '## The whole pipeline over long documents',
    '',
    head,
    '',
    `${count(documents)} documents of ${count(Math.round(characters / documents))} characters on average in one memory, ${count(chunks)} chunks with their graph, which nobody here wrote; ${questions} questions that come with them, ten results. First each question once, as nobody has asked it before, of a process that has answered nothing yet; then again and again, by several callers at a time, through the HTTP server of one process and of two.`,
    '',
    table(
      ['each question for the first time', 'p50 ms', 'p95 ms'],
      [['one caller', first.p50.toFixed(1), first.p95.toFixed(1)]],
    ),
    '',
    callersTable(again),
  ].join('\n');
}
