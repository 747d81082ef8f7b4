import { environment, table } from '../../../measurement/page.ts';
import { quantile } from '../../../measurement/quantile.ts';
import type { AttackReport } from './attacker-main.ts';
import type { LatencySample } from './scheduled-traffic.ts';
import type { ServiceLoad } from './service-load.ts';

/** How many times its quiet p99 the p99 of each kind of polite request may be beside a hostile tenant. */
const P99_FACTOR_MAX = 3;
const ALL = 'all';
const FAILURES_SHOWN_MAX = 10;
/** Processes that use less than this, in either phase, are left out of the report. */
const LOAD_SHOWN_MS_PER_SECOND = 5;

export interface PhaseResults {
  quiet: readonly LatencySample[];
  beside: readonly LatencySample[];
  attack: AttackReport;
  /** Services whose process is not the one it was before. */
  ended: readonly string[];
  load: { quiet: readonly ServiceLoad[]; beside: readonly ServiceLoad[] };
}

interface Judgement {
  passed: boolean;
  /** How many times its quiet p99 the p99 of each kind of request is, and that of all. */
  factors: ReadonlyMap<string, number>;
  /** Polite requests that had no response, or one that is not a success. */
  failures: readonly LatencySample[];
  /** Responses of 5xx to the attacker other than 503, which says that its own queue is full. */
  hostileFailures: number;
}

const latency = (samples: readonly LatencySample[], q: number) =>
  quantile(
    samples.map(({ ms }) => ms),
    q,
  );

export function judge({ quiet, beside, attack, ended }: PhaseResults): Judgement {
  const factorOf = (kind: string) => latency(ofKind(beside, kind), 0.99) / latency(ofKind(quiet, kind), 0.99);
  const factors = new Map([...kindsOf(quiet), ALL].map((kind) => [kind, factorOf(kind)]));
  const failures = beside.filter(({ status }) => status < 200 || status >= 300);
  let hostileFailures = 0;
  for (const outcomes of Object.values(attack.outcomes)) {
    for (const [outcome, count] of Object.entries(outcomes)) {
      if (/^5\d\d$/.test(outcome) && outcome !== '503') hostileFailures += count;
    }
  }
  const isNoticed = [...factors.values()].some((factor) => !(factor <= P99_FACTOR_MAX));
  const passed = !isNoticed && failures.length === 0 && hostileFailures === 0 && ended.length === 0;
  return { passed, factors, failures, hostileFailures };
}

const kindsOf = (samples: readonly LatencySample[]) => [...new Set(samples.map(({ kind }) => kind))];
const ofKind = (samples: readonly LatencySample[], kind: string) =>
  kind === ALL ? samples : samples.filter((sample) => sample.kind === kind);

export function reportOf(
  { quiet, beside, attack, ended, load }: PhaseResults,
  { passed, factors, failures, hostileFailures }: Judgement,
  { minutes, quietMinutes, seed }: { minutes: number; quietMinutes: number; seed: number },
): string {
  const row = ([kind, factor]: [string, number]) => {
    const [before, after] = [ofKind(quiet, kind), ofKind(beside, kind)];
    return [
      kind,
      `${after.length}`,
      `${ms(latency(before, 0.5))} / ${ms(latency(before, 0.99))}`,
      `${ms(latency(after, 0.5))} / ${ms(latency(after, 0.99))}`,
      factor.toFixed(2),
      statusesOf(after),
    ];
  };
  const shown = failures
    .slice(0, FAILURES_SHOWN_MAX)
    .map(({ kind, status, body }) => `- ${kind}: ${status} ${body.slice(0, 200)}`);
  return [
    '## A polite tenant beside a hostile one',
    '',
    `${environment()}. Command: \`npm run chaos -- hostile-tenant --minutes ${minutes} --quiet-minutes ${quietMinutes} --seed ${seed}\`.`,
    '',
    'Both tenants are on the team plan of one installation with the embedded defaults. Load generators and services share the machine. Latencies are in milliseconds, p50 / p99, from the moment a request was due.',
    '',
    table(
      ['polite tenant', 'requests', 'alone', 'beside the hostile tenant', 'p99 ratio', 'statuses'],
      [...factors].map(row),
    ),
    '',
    table(
      ['attack', 'turns', 'outcomes'],
      Object.entries(attack.outcomes).map(([name, outcomes]) => [
        name,
        `${Object.values(outcomes).reduce((sum, count) => sum + count, 0)}`,
        Object.entries(outcomes)
          .map(([outcome, count]) => `${outcome}: ${count}`)
          .join(', '),
      ]),
    ),
    '',
    `Webhook deliveries to the attacker's receiver: ${attack.deliveries.total}, at most ${attack.deliveries.peakPerSecond} in a second.`,
    'Processor time per second (1,000 is a core) and the delays of the event loop, alone → beside. A service counts its workers that ended.',
    '',
    loadTable(load),
    '',
    `Polite p99: at most ${Math.max(...factors.values()).toFixed(2)} times the quiet one (allowed: ${P99_FACTOR_MAX}). Polite requests that did not succeed: ${failures.length}. Hostile requests with 5xx other than 503: ${hostileFailures}. Processes that ended: ${ended.length === 0 ? 'none' : ended.join(', ')}. ${passed ? 'Passed.' : '**Failed.**'}`,
    ...(shown.length === 0 ? [] : ['', ...shown]),
  ].join('\n');
}

const ms = (value: number) => value.toFixed(1);

function loadTable({ quiet, beside }: PhaseResults['load']): string {
  const none: ServiceLoad = { kind: '', cpuMsPerSecond: 0, loop: null };
  const rows = beside.flatMap((after) => {
    const before = quiet.find(({ kind }) => kind === after.kind) ?? none;
    if (Math.max(before.cpuMsPerSecond, after.cpuMsPerSecond) < LOAD_SHOWN_MS_PER_SECOND) return [];
    const loop = (value: (loop: NonNullable<ServiceLoad['loop']>) => number) =>
      before.loop === null || after.loop === null ? '' : `${ms(value(before.loop))} → ${ms(value(after.loop))}`;
    const cpu = `${before.cpuMsPerSecond.toFixed(0)} → ${after.cpuMsPerSecond.toFixed(0)}`;
    return [[after.kind, cpu, loop(({ p99Ms }) => p99Ms), loop(({ maxMs }) => maxMs)]];
  });
  return table(['process', 'processor ms/s', 'loop delay p99 ms', 'loop delay max ms'], rows);
}

function statusesOf(samples: readonly LatencySample[]): string {
  const counts = new Map<number, number>();
  for (const { status } of samples) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}
