import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../measurement/page.ts';
import type { ReplicatedCluster } from './cluster.ts';
import type { Fault } from './faults.ts';
import { type Ledger, longestGap } from './ledger.ts';

/** What was seen while a fault lasted and the cluster recovered from it. */
export interface Row {
  name: string;
  seconds: number;
  requests: number;
  repeated: number;
  failures: number;
  writesGapMs: number;
  deliveriesGapMs: number;
  /** What was promised and did not hold. */
  broken: string[];
}

const RECOVERY_MS = 8_000;

/** Lets the fault happen under load, repairs it and waits until the cluster is whole again. */
export async function runFault(cluster: ReplicatedCluster, ledger: Ledger, fault: Fault): Promise<Row> {
  const before = { requests: ledger.requests, repeated: total(ledger.repeated), failures: ledger.failures.length };
  const beganMs = performance.now();
  const repair = await fault.begin(cluster);
  await sleep(fault.lastsMs);
  const repairedMs = performance.now();
  await repair();
  const unrecovered = await cluster.settled().then(
    () => [],
    (error: Error) => [error.message],
  );
  await sleep(RECOVERY_MS);
  const endedMs = performance.now();
  const row = {
    name: fault.name,
    seconds: (repairedMs - beganMs) / 1_000,
    requests: ledger.requests - before.requests,
    repeated: total(ledger.repeated) - before.repeated,
    failures: ledger.failures.length - before.failures,
    writesGapMs: longestGap(ledger.acknowledgedAtMs, beganMs, endedMs),
    deliveriesGapMs: longestGap(ledger.deliveredAtMs, beganMs, endedMs),
  };
  return { ...row, broken: [...unrecovered, ...brokenPromises(fault, row)] };
}

function brokenPromises({ limits }: Fault, row: Omit<Row, 'broken'>): string[] {
  const broken: string[] = [];
  const add = (what: string, seen: number, limit = Infinity) => {
    if (seen > limit) broken.push(`${what} stood still for ${seconds(seen)}, ${seconds(limit)} are allowed`);
  };
  add('writes', row.writesGapMs, limits.writesMs);
  add('deliveries', row.deliveriesGapMs, limits.deliveriesMs);
  if (row.failures > 0) broken.push(`${row.failures} requests failed in a way that a client may not repeat`);
  return broken;
}

export function rowsTable(rows: readonly Row[]): string {
  return table(
    ['fault', 'lasted', 'requests', 'sent again', 'failed', 'longest pause of writes', 'of deliveries'],
    rows.map((row) => [
      row.name,
      `${row.seconds.toFixed(0)} s`,
      String(row.requests),
      String(row.repeated),
      String(row.failures),
      seconds(row.writesGapMs),
      seconds(row.deliveriesGapMs),
    ]),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
