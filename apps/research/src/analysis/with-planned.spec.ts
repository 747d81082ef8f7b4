import { describe, expect, it } from '@jest/globals';
import { withPlanned } from './with-planned.ts';

const question = (text: string) => ({ text, query: `Harbour: ${text}`, aspects: [] });

describe('a plan of a model', () => {
  it('keeps the parts of a request, and looks for each in further ways', () => {
    const questions = withPlanned(
      [question('Debts'), question('Staff')],
      ['Which debts are due in 2027?', 'Staff', 'Who leads the staff?'],
    );
    expect(questions).toEqual([
      { ...question('Debts'), aspects: ['Harbour: Debts', 'Which debts are due in 2027?'] },
      { ...question('Staff'), aspects: ['Harbour: Staff', 'Who leads the staff?'] },
    ]);
  });

  it('splits a request of one question, which stays', () => {
    const questions = withPlanned([question('State of the harbour')], ['Which debts has it?', 'Who works there?']);
    expect(questions.map(({ text }) => text)).toEqual([
      'State of the harbour',
      'Which debts has it?',
      'Who works there?',
    ]);
  });

  it('asks nothing twice', () => {
    expect(
      withPlanned([question('Debts of the harbour')], ['The harbour’s debts', 'Debts of the harbour?']),
    ).toHaveLength(1);
  });
});
