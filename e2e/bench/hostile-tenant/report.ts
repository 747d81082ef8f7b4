import { environment, quantile, table } from '@cairn/testing';
import type { AttackReport } from './attacker-main.ts';
import type { PoliteSample } from './polite-traffic.ts';

/** How many times its quiet p99 the polite tenant's p99 may be beside a hostile one. */
const P99_FACTOR_MAX = 3;
const FAILURES_SHOWN_MAX = 10;

export interface Played {
  quiet: readonly PoliteSample[];
  beside: readonly PoliteSample[];
  attack: AttackReport;
  /** Services whose process is not the one it was before. */
  ended: readonly string[];
}

interface Judgement {
  passed: boolean;
  factor: number;
  /** Polite requests that had no response, or one that is not a success. */
  failures: readonly PoliteSample[];
  /** Responses of 5xx to the attacker other than 503, which says that its own queue is full. */
  hostileFailures: number;
}

const latency = (samples: readonly PoliteSample[], q: number) =>
  quantile(
    samples.map(({ ms }) => ms),
    q,
  );

export function judge({ quiet, beside, attack, ended }: Played): Judgement {
  const factor = latency(beside, 0.99) / latency(quiet, 0.99);
  const failures = beside.filter(({ status }) => status < 200 || status >= 300);
  let hostileFailures = 0;
  for (const outcomes of Object.values(attack.outcomes)) {
    for (const [outcome, count] of Object.entries(outcomes)) {
      if (/^5\d\d$/.test(outcome) && outcome !== '503') hostileFailures += count;
    }
  }
  const passed = factor <= P99_FACTOR_MAX && failures.length === 0 && hostileFailures === 0 && ended.length === 0;
  return { passed, factor, failures, hostileFailures };
}

export function reportOf(
  { quiet, beside, attack, ended }: Played,
  { passed, factor, failures, hostileFailures }: Judgement,
  { minutes, quietMinutes, seed }: { minutes: number; quietMinutes: number; seed: number },
): string {
  const kinds = [...new Set(quiet.map(({ kind }) => kind))];
  const of = (samples: readonly PoliteSample[], kind: string) => samples.filter((sample) => sample.kind === kind);
  const ms = (value: number) => value.toFixed(1);
  const row = (name: string, before: readonly PoliteSample[], after: readonly PoliteSample[]) => [
    name,
    `${after.length}`,
    `${ms(latency(before, 0.5))} / ${ms(latency(before, 0.99))}`,
    `${ms(latency(after, 0.5))} / ${ms(latency(after, 0.99))}`,
    statusesOf(after),
  ];
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
      ['polite tenant', 'requests', 'alone', 'beside the hostile tenant', 'statuses'],
      [...kinds.map((kind) => row(kind, of(quiet, kind), of(beside, kind))), row('all', quiet, beside)],
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
    `Polite p99: ${factor.toFixed(2)} times the quiet one (at most ${P99_FACTOR_MAX}). Polite requests that did not succeed: ${failures.length}. Hostile requests with 5xx other than 503: ${hostileFailures}. Processes that ended: ${ended.length === 0 ? 'none' : ended.join(', ')}. ${passed ? 'Passed.' : '**Failed.**'}`,
    ...(shown.length === 0 ? [] : ['', ...shown]),
  ].join('\n');
}

function statusesOf(samples: readonly PoliteSample[]): string {
  const counts = new Map<number, number>();
  for (const { status } of samples) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}
