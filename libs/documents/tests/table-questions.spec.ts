import { expect, it } from '@jest/globals';
import { answerFromTables } from '../src/index.ts';
import { CASES } from './trade-tables.ts';

it.each(CASES.map(({ table, question, answer }) => [question, answer, table] as const))(
  'answers what the table tells, and nothing else: %s',
  (question, answer, table) => {
    const found = answerFromTables(question, [table]);
    if (answer === null) expect(found).toBeNull();
    else expect(found?.text.slice(0, answer.length)).toBe(answer);
  },
);
