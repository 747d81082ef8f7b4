import { describe, expect, it } from '@jest/globals';
import { clausesOf } from './clauses.ts';

describe('a text that asks', () => {
  it.each([
    ['Who built the ferry, and what did it cost?', ['Who built the ferry', 'what did it cost?']],
    ['Who is the keeper and to whom does she report?', ['Who is the keeper', 'to whom does she report?']],
    ['Wer leitet den Hafen und seit wann ist er da?', ['Wer leitet den Hafen', 'seit wann ist er da?']],
    ['When does it sail? What does it carry today?', ['When does it sail', 'What does it carry today?']],
  ])('two questions is read as two: %s', (question, clauses) => {
    expect(clausesOf(question)).toEqual(clauses);
  });

  it.each(['Which cars and bicycles does the ferry carry?', 'When and where does the ferry sail?', 'ferry and what'])(
    'one question stays one: %s',
    (question) => {
      expect(clausesOf(question)).toEqual([question]);
    },
  );
});
