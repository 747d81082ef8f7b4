import { describe, expect, it } from '@jest/globals';
import { titleFor } from './title.ts';

const title = (questions: string[], asked = 'x', subject = '') =>
  titleFor({ subject, questions: questions.map((text) => ({ text, query: text, aspects: [] })) }, asked);

describe('the title of a report', () => {
  it('is the only question', () => {
    expect(title(['How deep is the fjord?'])).toBe('How deep is the fjord?');
  });

  it('ends no question before the last', () => {
    expect(title(['Should we buy the mill?', 'Risks of the mill'])).toBe('Should we buy the mill; Risks of the mill');
    expect(title(['What is a fjord?', 'How deep is it?'])).toBe('What is a fjord; how deep is it?');
  });

  it('begins with the subject of all questions', () => {
    expect(title(['Debts?', 'Staff'], 'x', 'Kestrel Labs')).toBe('Kestrel Labs: Debts; Staff');
  });
});
