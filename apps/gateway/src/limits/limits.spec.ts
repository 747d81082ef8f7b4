import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CairnError } from '@cairn/errors';
import { eventually } from '@cairn/testing';
import { type Limits, startLimits } from './limits.ts';
import { earlierMonth, monthOf } from './months.ts';
import { openUsageJournal } from './usage-journal.ts';

const NOW = Date.now();
const HOUR_MS = 3_600_000;

let folder: string;
let limits: Limits | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-limits-'));
});
afterEach(async () => {
  await limits?.close();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = (processId: string) => `spent-${processId}.notes`;

/** The journal of a process that died long ago and had admitted one request in each of the months. */
async function leaveJournal(processId: string, months: readonly string[]): Promise<void> {
  const journal = openUsageJournal(folder, processId);
  for (const month of months) journal.write(journal.slotFor('tnt_1', month), 1);
  journal.close();
  const then = new Date(NOW - HOUR_MS);
  await utimes(join(folder, fileOf(processId)), then, then);
}

interface Settlement {
  gatewayId: string;
  quotas: { tenantId: string; month: string; spent: bigint; hold: bigint }[];
}

/** Starts the limits of another process; `settle` throws what keys refuses. Returns what is logged. */
function start(settle: (request: Settlement) => void): unknown[] {
  const logged: unknown[] = [];
  limits = startLimits({
    keys: {
      drawAllowances: () => Promise.reject(new CairnError('unavailable', 'Not now.')),
      async settleHolds(request: unknown): Promise<never> {
        settle(request as Settlement);
        return { settled: true } as never;
      },
    },
    processId: 'own',
    membership: { gatewayCount: () => 1 },
    stateDir: folder,
    logger: { warn: (...line: unknown[]) => void logged.push(line) },
  });
  return logged;
}

describe('gateway processes that died', () => {
  it('are settled one by one: that keys refuses the first keeps no other from it', async () => {
    for (const processId of ['dead-1', 'dead-2', 'dead-3']) await leaveJournal(processId, [monthOf(NOW)]);
    const asked: string[] = [];
    const logged = start(({ gatewayId }) => {
      asked.push(gatewayId);
      if (gatewayId === asked[0]) throw new CairnError('validation_failed', 'Too many.');
    });
    const left = await eventually(
      () => readdir(folder),
      (files) => files.length === 2,
    );
    expect(left.toSorted()).toEqual([fileOf(asked[0]!), fileOf('own')].toSorted());
    expect(JSON.stringify(logged)).toContain(asked[0]!);
  });

  it('are settled without the months that keys no longer holds', async () => {
    const months = [monthOf(NOW), earlierMonth(NOW, 3), earlierMonth(NOW, 4), '2020-01'];
    await leaveJournal('dead-1', months);
    const settled: Settlement[] = [];
    start((request) => void settled.push(request));
    await eventually(
      () => readdir(folder),
      (files) => files.length === 1,
    );
    expect(settled).toEqual([
      {
        gatewayId: 'dead-1',
        quotas: months.slice(0, 2).map((month) => ({ tenantId: 'tnt_1', month, spent: 1n, hold: 1n })),
      },
    ]);
  });
});
