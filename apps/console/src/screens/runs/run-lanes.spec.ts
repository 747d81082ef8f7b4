import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@cairn/sdk';
import { describeEvent, marksOf } from './run-lanes.ts';

const event = (seq: number, type: RunEvent['type'], at: string, data: Record<string, unknown> = {}): RunEvent => ({
  seq,
  type,
  at,
  data,
  thread_id: 'thr_1',
});

describe('the lanes of a run', () => {
  it('span from its first event to its last', () => {
    const marks = marksOf([
      event(1, 'run.queued', '2026-01-01T10:00:00Z'),
      event(2, 'source.fetched', '2026-01-01T10:00:30Z'),
      event(3, 'run.progress', '2026-01-01T10:00:40Z'),
      event(4, 'report.ready', '2026-01-01T10:02:00Z'),
    ]);
    expect(marks.map(({ lane, at }) => [lane, at])).toEqual([
      ['plan', 0],
      ['read', 0.25],
      ['write', 1],
    ]);
  });

  it('have a place for a single event', () => {
    expect(marksOf([event(1, 'run.queued', '2026-01-01T10:00:00Z')])).toMatchObject([{ at: 0 }]);
  });

  it('say what an event is about, and nothing where it says nothing', () => {
    expect(describeEvent(event(1, 'query.issued', '2026-01-01T10:00:00Z', { query: 'harbour' }))).toBe('harbour');
    expect(describeEvent(event(1, 'run.started', '2026-01-01T10:00:00Z', { kind: 3 }))).toBe('');
  });
});
