import { describe, expect, it } from '@jest/globals';
import { readingModel } from '../text/reading-model.ts';
import { createRequestReader } from './parse-request.ts';

const { understand } = createRequestReader(readingModel());
const asked = (prompt: string) => understand(prompt).questions.map(({ text }) => text);

describe('what a request asks', () => {
  it.each([
    ['Can you tell me how the payroll export works? In German please.', ['How the payroll export works']],
    ['Hi! We meet on Monday. Who operates the Baltic cable?', ['Who operates the Baltic cable?']],
    [
      'Does the lease allow subletting? It is urgent. Only the current contract counts.',
      ['Does the lease allow subletting?'],
    ],
    [
      'I need to know which plants closed in 2025. Please keep it to one page and write for my board.',
      ['Which plants closed in 2025'],
    ],
    ['Explain garbage collection in Java to a beginner. Step by step. No code.', ['Garbage collection in Java']],
    ['You are a senior analyst. Describe the port of Narvik. Output in Markdown.', ['Port of Narvik']],
    ['In two sentences: what is a fjord, and how deep is it? Thanks, Ina', ['What is a fjord?', 'How deep is it?']],
    ['How did the fleet change, and why?', ['How did the fleet change, and why?']],
    ['Why was the quay closed and when?', ['Why was the quay closed and when?']],
    ['Write a memo about the delays in Trondheim from my files. Don’t invent anything.', ['Delays in Trondheim']],
    ['Lantern price', ['Lantern price']],
  ])('is split from how: %s', (prompt, questions) => {
    expect(asked(prompt)).toEqual(questions);
  });

  it.each([
    ['(1) What is a lease? (2) What is a lien? Be brief.', ['What is a lease?', 'What is a lien?']],
    ['Prepare a note on a) debts, b) staff and c) plants. Act as an auditor.', ['Debts', 'Staff', 'Plants']],
    [
      '- Market share of Tervo\n- Competitors of Tervo\n- Keep it short',
      ['Market share of Tervo', 'Competitors of Tervo'],
    ],
  ])('is split at its marks: %s', (prompt, questions) => {
    expect(asked(prompt)).toEqual(questions);
  });

  it('is a marked word, also one that could be an instruction', () => {
    const { questions } = understand('Prepare a briefing on a) leave, b) travel expenses and c) laptops.');
    expect(questions.map(({ text }) => text)).toEqual(['Leave', 'Travel expenses', 'Laptops']);
  });

  it('names its subject wherever it is looked up by itself', () => {
    const { questions, subject } = understand('Write about Kestrel Labs. Cover (1) debts and staff, (2) its products.');
    expect(subject).toBe('Kestrel Labs');
    expect(questions.map(({ query }) => query)).toEqual([
      'Kestrel Labs: debts and staff',
      'Kestrel Labs: its products',
    ]);
    expect(questions[0]!.aspects).toEqual(['Kestrel Labs: debts', 'Kestrel Labs: staff']);
    expect(understand('Who founded Kestrel Labs? When?').questions[1]!.query).toContain('Kestrel Labs');
  });

  it('is what the asker answers to a clarification, about what was asked first', () => {
    expect(understand('Lantern', 'What does it cost? Keep it short.')).toMatchObject({
      questions: [{ text: 'What does it cost?', query: 'What does it cost? (Lantern)' }],
      instructions: { length: 'short' },
    });
    expect(understand('Lantern', 'All of them').questions.map(({ text }) => text)).toEqual(['Lantern']);
  });
});

describe('how a request is to be answered', () => {
  it('is read as scope, length, language, and what is left out', () => {
    const prompt = 'What is owed? Use my documents only. At most 300 words, in German. Leave out the pension fund.';
    expect(understand(prompt).instructions).toMatchObject({
      scope: 'own',
      length: { most: 300, unit: 'words' },
      language: 'german',
      excluded: ['the pension fund'],
    });
  });

  it('is read as a form', () => {
    expect(understand('Who owns Norvik? Answer as a table with columns name, share and year.').format).toEqual({
      kind: 'table',
      columns: ['name', 'share', 'year'],
    });
    expect(understand('Members of the board with their age and nationality').format.columns).toEqual([
      'age',
      'nationality',
    ]);
    expect(understand('(1) Debts (2) Staff').format.kind).toBe('sections');
  });

  it('has a time frame where years are named', () => {
    expect(understand('Revenue of Polaris since 2019').timeFrame).toEqual({ from: 2019, to: null });
    expect(understand('Incidents between 2021 and 2023').timeFrame).toEqual({ from: 2021, to: 2023 });
    expect(understand('Incidents').timeFrame).toBeNull();
  });
});
