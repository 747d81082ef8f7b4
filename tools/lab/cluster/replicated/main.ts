import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '@cairn/testing';
import { environment, writeSection } from '../../measurement/page.ts';
import { startCluster } from './cluster.ts';
import { type Fault, RANDOM_FAULTS, SCENARIOS } from './faults.ts';
import { emptyLedger, INVARIANTS, judge, type Violation } from './ledger.ts';
import { startLoad } from './load.ts';
import { type Row, rowsTable, runFault } from './run-faults.ts';

/** Runs inside namespaces of its own; enter.ts makes them. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: '/' },
    bundles: { type: 'string', default: '' },
    replicas: { type: 'string', default: '2' },
    rate: { type: 'string', default: '50' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'no-report': { type: 'boolean', default: false },
  },
});
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'cluster.md');
const REST_MS = 120_000;
const WARM_UP_MS = 10_000;
const QUIET_MAX_MS = 10_000;

const chaos = values.minutes !== undefined;
const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
const unknown = chaos ? undefined : names.find((name) => !Object.hasOwn(SCENARIOS, name));
if (unknown !== undefined) {
  say(`There is no scenario ${unknown}; there are ${Object.keys(SCENARIOS).join(', ')}.`);
  process.exit(2);
}
// Each its own, so that the faults do not depend on how many requests there were between them.
const [random, randomOfLoad] = [seededRandom(Number(values.seed)), seededRandom(Number(values.seed) + 1)];
const folder = await mkdtemp(join(tmpdir(), 'cairn-cluster-'));
const rows: Row[] = [];
const cluster = await startCluster({ ...values, folder, replicas: Number(values.replicas), say }).catch(
  (error: Error) => {
    say(`The cluster did not start: ${error.message}\nThe output of its programs is in ${folder}.`);
    process.exit(1);
  },
);
const ledger = emptyLedger();
const load = await startLoad(cluster, ledger, Number(values.rate), randomOfLoad);
await sleep(WARM_UP_MS);
const beganMs = performance.now();
if (chaos) await randomFaults(Number(values.minutes) * 60_000);
else for (const fault of names.flatMap((name) => SCENARIOS[name]!)) await play(fault);
const lastedS = (performance.now() - beganMs) / 1_000;
const violations = judge(ledger, await load.settle(REST_MS));
report(violations);
if (!values['no-report'])
  await writeSection(PAGE, 'Cluster', chaos ? `chaos-${values.seed}` : `scenarios-${names.join('-')}`, section());
await load.stop();
const broken = rows.flatMap((row) => row.broken);
if (violations.length === 0 && broken.length === 0) {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  process.exit(0);
}
await writeFile(join(folder, 'violations.json'), JSON.stringify({ violations, broken }, null, 2));
say(`The output of the cluster's programs is in ${folder}.`);
process.exit(1);

async function randomFaults(forMs: number): Promise<void> {
  while (performance.now() - beganMs < forMs) {
    await sleep(random() * QUIET_MAX_MS);
    await play(RANDOM_FAULTS[Math.floor(random() * RANDOM_FAULTS.length)]!);
  }
}

async function play(fault: Fault): Promise<void> {
  say(`… ${fault.name}`);
  const row = await runFault(cluster, ledger, fault);
  rows.push(row);
  say(rowsTable([row]).split('\n').at(-1)!);
  for (const promise of row.broken) say(`  NOT KEPT: ${promise}`);
}

function report(found: readonly Violation[]): void {
  say(`\n${rowsTable(rows)}\n`);
  for (const line of summary()) say(line);
  for (const { invariant, detail } of found.slice(0, 50)) say(`VIOLATED: ${invariant}: ${detail}`);
  for (const name of Object.keys(INVARIANTS))
    if (found.every(({ invariant }) => invariant !== name)) say(`holds: ${name}`);
}

function summary(): string[] {
  const repeated = [...ledger.repeated].map(([met, count]) => `${count} × ${met}`).join(', ');
  return [
    `${lastedS.toFixed(0)} s, ${ledger.requests} requests; sent again: ${repeated || 'none'}.`,
    `${ledger.ingested.size} ingests acknowledged, ${new Set(ledger.delivered.map(({ docId }) => docId)).size} documents delivered (${ledger.delivered.length} deliveries), ${ledger.revoked.size} keys revoked, ${ledger.modelCalls.size} model calls, ${ledger.runs.size} runs.`,
  ];
}

function section(): string {
  const what = chaos
    ? `Random faults for ${values.minutes} minutes, seed ${values.seed}`
    : `Scenarios: ${names.join(', ')}`;
  const command = chaos
    ? `npm run chaos -- cluster --minutes ${values.minutes} --seed ${values.seed} --rate ${values.rate}`
    : `npm run cluster -- --replicated ${names.join(' ')} --rate ${values.rate}`;
  const kept = Object.entries(INVARIANTS).map(([name, about]) => {
    const count = violations.filter(({ invariant }) => invariant === name).length;
    return `- ${name} (${about}): ${count === 0 ? 'holds' : `violated ${count} times`}`;
  });
  const promises = rows.flatMap((row) => row.broken.map((promise) => `- ${row.name}: ${promise}`));
  return [
    `## ${what}`,
    '',
    `${environment()}. Command: \`${command}\`. ${values.replicas} replicas of each service, 3 nats-servers with three copies of each stream, 3 PostgreSQL under Patroni with 3 etcd, in network namespaces of one machine, ${values.rate} requests a second.`,
    '',
    ...summary(),
    '',
    rowsTable(rows),
    '',
    ...kept,
    ...(promises.length === 0 ? [] : ['', 'Not kept:', '', ...promises]),
  ].join('\n');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
