import { describe, expect, it } from '@jest/globals';
import { composeExtractiveAnswer } from './extractive-answer.ts';
import type { Passage } from './passage.ts';

function passage(number: number, body: string, day: string | null = null): Passage {
  const title = `Rules ${number}`;
  const occurredAtMs = day === null ? null : Date.parse(day);
  return {
    chunkId: `c${number}`,
    docId: `d${number}`,
    title,
    titlePath: title,
    body,
    score: 10 - number,
    occurredAtMs,
  };
}

const question = 'How many days of leave does an employee get?';
const old = passage(1, 'Every employee gets 25 days of leave.', '2023-01-01');
const recent = passage(2, 'An employee gets 28 days of leave each year.', '2025-01-01');

describe('sources that differ', () => {
  it('stand side by side, the newest dated first, each cited', () => {
    const undated = passage(3, 'Every employee gets 30 days of leave.');
    const { text, cited } = composeExtractiveAnswer(question, [old, recent, undated]);
    expect(text).toBe(
      'An employee gets 28 days of leave each year. [1] Every employee gets 25 days of leave. [2] Every employee gets 30 days of leave. [3]',
    );
    expect(cited.map(({ passage: { chunkId } }) => chunkId)).toEqual(['c2', 'c1', 'c3']);
  });

  it('stand side by side for times, too', () => {
    const [first, second] = [
      passage(1, 'The lease ends in 2027.'),
      passage(2, 'The lease ends in 2029.', '2026-02-01'),
    ];
    expect(composeExtractiveAnswer('When does the lease end?', [first, second]).text).toBe(
      'The lease ends in 2029. [1] The lease ends in 2027. [2]',
    );
  });

  it('say nothing twice when they agree', () => {
    const same = passage(2, 'Each employee gets 25 days of leave.', '2025-01-01');
    expect(composeExtractiveAnswer(question, [old, same]).cited).toHaveLength(1);
  });

  it('are no others than those that say the same of the same', () => {
    const others = [
      passage(2, 'A trainee gets 20 days of leave.', '2025-01-01'),
      passage(3, 'An employee of 40 years gets a cake, and the days of leave stay as they are.', '2025-01-01'),
    ];
    const { cited } = composeExtractiveAnswer(question, [old, ...others]);
    expect(cited[0]!.passage.chunkId).toBe('c1');
  });
});
