import { describe, expect, it } from '@jest/globals';
import { readingModel } from '../text/reading-model.ts';
import { createRequestReader } from './parse-request.ts';

const { unsaid, complete, understand } = createRequestReader(readingModel());

describe('a request', () => {
  it.each([
    'research it',
    'What about their head office?',
    'Who founded this company and when?',
    'Summarise his career in five points',
    'How much revenue does it have?',
    'When was it founded and who is the chief executive of Acme?',
    'Which of these is the cheapest?',
    'Do the same for Germany',
    'Compare the two',
    'We meet on Monday. Who are their competitors?',
    'What does the law say about them?',
    'What did the author say about it?',
    'Find out who their main rivals are. Write one page.',
    'they',
  ])('that points at something it does not name leaves it unsaid: %s', (prompt) => {
    expect(unsaid(prompt)).toMatchObject({ kind: 'pointing' });
  });

  it.each(['Please do some research.', 'Write a report', 'Why?'])(
    'that names no subject says nothing: %s',
    (prompt) => {
      expect(unsaid(prompt)).toEqual({ kind: 'nothing' });
    },
  );

  it.each(['What about prices?', 'And for gateways?'])('that continues something is a fragment: %s', (prompt) => {
    expect(unsaid(prompt)).toEqual({ kind: 'fragment' });
  });

  it.each([
    'Is it true that Norway exports more salmon than Chile?',
    'How long does it take to get a visa?',
    'What makes it hard to recycle PVC?',
    'Does it matter whether a wall is insulated?',
    'What time is it in Tokyo?',
    'Research Acme and its subsidiaries',
    'Describe the harbour of Rotterdam, who runs it and what they charge.',
    'Compare lithium and sodium batteries. Which of them is cheaper?',
    'Compare the ports of Oslo and Turku and put it in a table',
    'Explain why companies publish their sustainability reports',
    'Who lost their licence in 2024?',
    'How do plants defend themselves?',
    'Norway closed the mine. Why did that happen?',
    'Which companies make their own chips?',
    'Which banks raised their fees in 2024?',
    'How much does it cost to build a house?',
    'What does it cost to renovate a bathroom?',
    'Does it rain a lot in Seattle?',
    'When it comes to batteries, which are best?',
    'I’m writing about Ada Lovelace. What did she invent?',
    'I run a bakery in Lyon. Which suppliers deliver to it?',
    'Why did that bridge in Genoa collapse?',
    'Who is that actor in the new Dune film?',
    'List those who work at Acme',
    'Which countries raised taxes this year?',
    'Summarise these documents',
    'What about the price of Lantern?',
    'Lantern',
    '東京の人口は?',
  ])('that names what it points at, or points at nothing, is complete: %s', (prompt) => {
    expect(unsaid(prompt)).toBeNull();
  });
});

describe('an answer', () => {
  const completed = (prompt: string, answer: string) => complete(prompt, unsaid(prompt)!, answer);

  it.each([
    ['What about their head office?', 'Acme Corp', 'What about Acme Corp’s head office?'],
    ['research it', 'Acme Corp.', 'research Acme Corp'],
    [
      'When was it founded and who owns it?',
      'It is called Acme Corp.',
      'When was Acme Corp founded and who owns Acme Corp?',
    ],
    ['Tell me more about that', 'the merger of Acme and Beta', 'Tell me more about the merger of Acme and Beta'],
  ])('takes the place of the words that point: %s — %s', (prompt, answer, whole) => {
    expect(completed(prompt, answer)).toEqual({ prompt: whole, answer: '' });
  });

  it('keeps what it says beside', () => {
    expect(completed('Who owns this company?', 'Acme Corp. Use my documents only.')).toEqual({
      prompt: 'Who owns Acme Corp?',
      answer: 'Use my documents only.',
    });
  });

  it('is what is researched where the prompt names nothing, and how stays what the prompt says', () => {
    const { prompt, answer } = completed('Please do some research. At most 200 words.', 'solar panels in Spain');
    expect(understand(prompt, answer)).toMatchObject({
      questions: [{ text: 'Solar panels in Spain' }],
      instructions: { length: { most: 200, unit: 'words' } },
    });
  });
});
