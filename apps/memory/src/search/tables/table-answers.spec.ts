import { expect, it } from '@jest/globals';
import { createLogger } from '@cairn/service-kit';
import { createTableAnswers } from './table-answers.ts';

const logger = createLogger('memory', 'silent');
const task = {
  question: 'How many orders came from East?',
  documents: [
    {
      title: 'orders.csv',
      chunks: [{ body: 'order_id: 1; region: East; amount: 2', row: 1, rowEnd: 1, sheet: null }],
    },
  ],
};

it('gives up a computation that takes too long, and a search goes on without', async () => {
  const answers = createTableAnswers(logger, 1);
  try {
    await expect(answers.answer('t1', task, new AbortController().signal)).resolves.toBeNull();
  } finally {
    await answers.close();
  }
});

it('does not take what its caller gives up for a computation that takes too long', async () => {
  const answers = createTableAnswers(logger);
  try {
    await expect(answers.answer('t1', task, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  } finally {
    await answers.close();
  }
});
