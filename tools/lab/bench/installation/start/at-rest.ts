import { setTimeout as sleep } from 'node:timers/promises';
import { processTime, type RunningCairn } from '@cairn/testing';
import { processKinds } from '../../../measurement/process-kinds.ts';
import { memoryShare } from '../../../measurement/process-memory.ts';

/** What the processes of one kind take together while nothing is asked of them. */
export interface AtRest {
  kind: string;
  processes: number;
  /** In MiB, as `memoryShare` counts. */
  resident: number;
  proportional: number;
  anonymous: number;
  /** Milliseconds of processor time a second. */
  msPerSecond: number;
}

/** All that runs for the installation, sessions of PostgreSQL as one, the largest first. */
export async function measureAtRest(cairn: RunningCairn, forMs: number): Promise<AtRest[]> {
  const kinds = new Map(
    [...(await processKinds(cairn))].map(([pid, kind]) => [pid, kind.startsWith('PostgreSQL') ? 'PostgreSQL' : kind]),
  );
  return measureProcesses(kinds, forMs);
}

/** Process → kind. */
export async function measureProcesses(kinds: ReadonlyMap<number, string>, forMs: number): Promise<AtRest[]> {
  const timesOf = () => Promise.all([...kinds.keys()].map(async (pid) => (await processTime(pid))?.ms ?? 0));
  const before = await timesOf();
  const startedMs = performance.now();
  await sleep(forMs);
  const after = await timesOf();
  const seconds = (performance.now() - startedMs) / 1_000;
  const found = new Map<string, AtRest>();
  let at = 0;
  for (const [pid, kind] of kinds) {
    const share = await memoryShare(pid);
    const so = found.get(kind) ?? { kind, processes: 0, resident: 0, proportional: 0, anonymous: 0, msPerSecond: 0 };
    found.set(kind, {
      kind,
      processes: so.processes + 1,
      resident: so.resident + share.resident,
      proportional: so.proportional + share.proportional,
      anonymous: so.anonymous + share.anonymous,
      // A session that ended meanwhile has no time any more.
      msPerSecond: so.msPerSecond + Math.max(0, after[at]! - before[at]!) / seconds,
    });
    at += 1;
  }
  return [...found.values()].toSorted((a, b) => b.proportional - a.proportional);
}
