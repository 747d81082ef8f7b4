import { describe, expect, it } from '@jest/globals';
import { answerParts } from './answer-sentences.ts';
import { agoText, bytesText, durationText, timeText, wordsOf } from './format.ts';

describe('figures as text', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [250_000, '250 kB'],
    [3_200_000, '3.2 MB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  it('says how long ago a time is, in its largest unit', () => {
    const now = Date.parse('2026-01-02T12:00:00Z');
    expect(agoText('2026-01-02T11:57:10Z', now)).toBe('2 minutes ago');
    expect(agoText('2025-12-30T12:00:00Z', now)).toBe('3 days ago');
    expect(agoText('2026-01-02T14:00:00Z', now)).toBe('in 2 hours');
  });

  it('says of a day alone no time, and the same day in every time zone', () => {
    expect(timeText('2025-06-01T00:00:00Z')).toBe('Jun 1, 2025');
    expect(timeText('2025-06-01T00:00:00.000Z')).toBe('Jun 1, 2025');
  });

  it('says durations in units that fit', () => {
    expect([durationText(12), durationText(1_200), durationText(61_000)]).toEqual(['12 ms', '1.2 s', '1 min 1 s']);
  });

  it('turns names of the interface into words', () => {
    expect(wordsOf('list_price')).toBe('list price');
  });
});

describe('parts of an answer', () => {
  it('end with the numbers of their citations, which are not in their text', () => {
    expect(answerParts('It opens at ten [1]. It closes at six. [2][3]')).toEqual([
      { text: 'It opens at ten.', citationIds: ['1'] },
      { text: ' It closes at six.', citationIds: ['2', '3'] },
    ]);
  });

  it('are the text alone where nothing is cited', () => {
    expect(answerParts('Nothing answers that.')).toEqual([{ text: 'Nothing answers that.', citationIds: [] }]);
  });
});
