import { describe, expect, it } from '@jest/globals';
import { DEAD_LETTER_STREAM, EVENT_STREAM, type StreamState } from '@cairn/events';
import { EVENT_CONSUMERS } from '@cairn/contracts';
import { streamFindings } from './check-broker.ts';
import { certificateFinding, clockFinding } from './check-gateway.ts';
import { checkNode, checkVariables, diskFinding } from './check-machine.ts';
import { queueFinding } from './check-queues.ts';
import { exitCodeOf, linesOf } from './doctor-command.ts';
import { failed, ok, warning } from './finding.ts';

const DAY_MS = 86_400_000;
const GIB = 1_073_741_824;

describe('what the doctor makes of it', () => {
  it.each([
    [90, 'ok'],
    [20, 'warning'],
    [-1, 'failed'],
  ])('a certificate that is valid for %s days', (days, status) => {
    expect(certificateFinding(days * DAY_MS + 1, 0).status).toBe(status);
  });

  it.each([
    [0, 'ok'],
    [-2_900, 'ok'],
    [3_100, 'failed'],
    [-60_000, 'failed'],
  ])('a clock that differs by %s ms', (aheadMs, status) => {
    expect(clockFinding('clock', aheadMs).status).toBe(status);
  });

  it.each([
    [50, 'ok'],
    [10, 'warning'],
    [2, 'failed'],
  ])('a disk of which %s %% are free', (share, status) => {
    expect(diskFinding(share * GIB, 100 * GIB).status).toBe(status);
  });

  it('an old Node, and a variable that nothing reads', () => {
    expect([checkNode('20.9.0').status, checkNode('24.1.0').status]).toEqual(['failed', 'ok']);
    expect(checkVariables({ CAIRN_BASE_URL: '1', CAIRN_MISSPELT: '1' })).toMatchObject({
      status: 'warning',
      message: 'Nothing reads CAIRN_MISSPELT.',
    });
  });

  it('a queue whose oldest entry waits for too long, however few there are', () => {
    const queue = { name: 'ingest', oldestMaxSeconds: 900, alert: 'CairnIngestStuck' };
    expect(queueFinding(queue, { count: 50_000, oldest: 30 }).status).toBe('ok');
    expect(queueFinding(queue, { count: 1, oldest: 901 })).toMatchObject({
      status: 'warning',
      action: 'See CairnIngestStuck in docs/operations.md.',
    });
  });

  it('a stream that is missing or has lost a replica, a consumer that is missing, and dead letters', () => {
    const durables = Object.values(EVENT_CONSUMERS).map(({ durable }) => ({ durable, pending: 0 }));
    const events: StreamState = {
      name: EVENT_STREAM,
      replicas: 3,
      replicasCurrent: 3,
      messages: 9,
      bytes: 9,
      consumers: durables,
    };
    const dead: StreamState = { ...events, name: DEAD_LETTER_STREAM, messages: 0, consumers: [] };
    const statuses = (streams: Parameters<typeof streamFindings>[0]) =>
      streamFindings(streams)
        .filter(({ status }) => status !== 'ok')
        .map(({ check, status }) => `${check}: ${status}`);
    expect(statuses({ [EVENT_STREAM]: events, [DEAD_LETTER_STREAM]: dead })).toEqual([]);
    expect(statuses({ [EVENT_STREAM]: null, [DEAD_LETTER_STREAM]: { ...dead, messages: 2 } })).toEqual([
      'stream CAIRN_EVENTS: failed',
      'dead letters: warning',
    ]);
    const lame = { ...events, replicasCurrent: 2, consumers: durables.slice(1) };
    expect(statuses({ [EVENT_STREAM]: lame, [DEAD_LETTER_STREAM]: dead })).toEqual([
      'stream CAIRN_EVENTS: warning',
      `consumer ${durables[0]!.durable}: failed`,
    ]);
  });
});

it('only a check that failed makes the exit code 1, and what to do stands below it', () => {
  const fine = [ok('a', 'well'), warning('b', 'soon', 'do this')];
  expect(exitCodeOf(fine)).toBe(0);
  const findings = [...fine, failed('c', 'bad', 'do that')];
  expect(exitCodeOf(findings)).toBe(1);
  const lines = linesOf(findings);
  expect(lines.filter((line) => line.includes('→')).map((line) => line.trim())).toEqual(['→ do this', '→ do that']);
  expect(lines.at(-1)).toBe('3 checks: 1 failed, 1 with a warning, 0 skipped.');
});
