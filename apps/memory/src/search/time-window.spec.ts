import { describe, expect, it } from '@jest/globals';
import { timeWindowOf } from './time-window.ts';

// A Saturday.
const CLOCK = Date.parse('2026-11-21T15:30:00Z');
const shown = (question: string) => {
  const window = timeWindowOf(question, CLOCK);
  return window === null
    ? null
    : [new Date(window.gteMs).toISOString().slice(0, 16), new Date(window.ltMs).toISOString().slice(0, 16)];
};

describe('the time that a question means', () => {
  it.each([
    ['What happened today?', '2026-11-21T00:00', '2026-11-22T00:00'],
    ['What did we decide yesterday?', '2026-11-20T00:00', '2026-11-21T00:00'],
    ['Who called the day before yesterday?', '2026-11-19T00:00', '2026-11-20T00:00'],
    ['What broke last week?', '2026-11-09T00:00', '2026-11-16T00:00'],
    ['What is planned this week?', '2026-11-16T00:00', '2026-11-23T00:00'],
    ['Sales of last month', '2026-10-01T00:00', '2026-11-01T00:00'],
    ['last quarter', '2026-07-01T00:00', '2026-10-01T00:00'],
    ['What changed last year?', '2025-01-01T00:00', '2026-01-01T00:00'],
    ['Who visited last Monday?', '2026-11-16T00:00', '2026-11-17T00:00'],
    ['What was said on Saturday?', '2026-11-14T00:00', '2026-11-15T00:00'],
    ['Outages in the last 3 days', '2026-11-18T15:30', '2026-11-21T15:30'],
    ['over the past two weeks', '2026-11-07T15:30', '2026-11-21T15:30'],
    ['What did Ann say two months ago?', '2026-09-01T00:00', '2026-10-01T00:00'],
  ])('%s', (question, from, to) => {
    expect(shown(question)).toEqual([from, to]);
  });

  it('is none where a question means none', () => {
    for (const question of ['How long does the battery last?', 'What is the last step?', 'Which year was it?'])
      expect(shown(question)).toBeNull();
  });

  it('counts months of different lengths back to a day that they have', () => {
    const end = timeWindowOf('in the last 1 months', Date.parse('2026-03-31T10:00:00Z'))!;
    expect(new Date(end.gteMs).toISOString()).toBe('2026-02-28T10:00:00.000Z');
  });
});
