import type { RunEvent } from '@cairn/sdk';

type Lane = 'plan' | 'search' | 'read' | 'check' | 'write';

export const LANES: readonly Lane[] = ['plan', 'search', 'read', 'check', 'write'];

const LANE_OF: ReadonlyMap<RunEvent['type'], Lane> = new Map<RunEvent['type'], Lane>([
  ['run.queued', 'plan'],
  ['run.started', 'plan'],
  ['plan.ready', 'plan'],
  ['clarification.requested', 'plan'],
  ['clarification.answered', 'plan'],
  ['query.issued', 'search'],
  ['source.fetched', 'read'],
  ['source.skipped', 'read'],
  ['finding.added', 'check'],
  ['conflict.found', 'check'],
  ['row.candidate', 'check'],
  ['row.matched', 'check'],
  ['row.rejected', 'check'],
  ['report.delta', 'write'],
  ['report.ready', 'write'],
]);

interface LaneMark {
  seq: number;
  lane: Lane;
  /** From 0, when the run began, to 1, its last event. */
  at: number;
  type: RunEvent['type'];
}

/** Where the events of a run stand in its lanes; what says only that the run goes on has no place there. */
export function marksOf(events: readonly RunEvent[]): LaneMark[] {
  const times = events.map(({ at }) => Date.parse(at));
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  return events.flatMap(({ seq, type, at }) => {
    const lane = LANE_OF.get(type);
    if (lane === undefined) return [];
    return [{ seq, lane, type, at: span === 0 ? 0 : (Date.parse(at) - first) / span }];
  });
}

const TELLING = [
  'query',
  'title',
  'question',
  'statement',
  'text',
  'name',
  'message',
  'reason',
  'stage',
  'url',
] as const;
const MOST_CHARS = 160;

/** What an event is about, in one line. */
export function describeEvent({ data }: RunEvent): string {
  for (const name of TELLING) {
    const value = data[name];
    if (typeof value === 'string' && value.trim() !== '') {
      return value.length > MOST_CHARS ? `${value.slice(0, MOST_CHARS)}…` : value;
    }
  }
  return '';
}
