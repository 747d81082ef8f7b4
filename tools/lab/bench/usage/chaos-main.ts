import { ChargeService, encodeEvent, newId, UsageOperatorService } from '@cairn/contracts';
import { connectEventBus, publishEvent } from '@cairn/events';
import { rpcClient } from '@cairn/service-kit';
import { seededRandom } from '@cairn/testing';
import { environment, table, writeSection } from '../../measurement/page.ts';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchHarness, startBenchHarness } from './bench-harness.ts';
import { chargeUnderKills } from './charging.ts';
import { deliver } from '../../../../apps/usage/tests/delivery.ts';
import { differences, expectedUsage } from '../../../../apps/usage/tests/expected-usage.ts';
import { randomCall, smallWorld } from '../../../../apps/usage/tests/random-calls.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    publishers: { type: 'string', default: '4' },
    kills: { type: 'string', default: '5' },
    runs: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    'no-report': { type: 'boolean', default: false },
  },
});
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'usage.md');
const REBUILD_TIMEOUT_MS = 10 * 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

const INVARIANTS = [
  'Every total of every dimension, id, day and model is the integer that the calls add up to, by an oracle that shares no code with the service.',
  'Rebuilding the roll-ups from the stored calls gives the roll-ups that are there.',
  'Every account is what its grants, charges and calls add up to.',
  'Every run is charged once, whatever was cut off between reserving and settling; what succeeded is in the ledger.',
];

const CHARGED_TENANT = newId('tenant');
const harness = await startBenchHarness();
try {
  const { figures, violations } = await run(harness);
  INVARIANTS.forEach((invariant) => say(`checked: ${invariant}`));
  figures.forEach(([name, value]) => say(`${name}: ${value}`));
  violations.forEach((violation) => say(`VIOLATED: ${violation}`));
  if (!values['no-report']) await writeSection(PAGE, 'Usage', 'chaos', section(figures, harness.postgresVersion));
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  await harness.remove();
}

async function run(on: BenchHarness): Promise<{ figures: [string, string][]; violations: string[] }> {
  const random = seededRandom(Number(values.seed));
  const world = smallWorld();
  const calls = Array.from({ length: Number(values.events) }, () => randomCall(random, world));
  const delivery = await deliver({
    natsUrl: on.natsUrl,
    calls,
    random,
    service: on.service,
    publishers: Number(values.publishers),
    kills: Number(values.kills),
  });
  const violations = await differences(on.superuser, expectedUsage(calls));
  await announceTenant(on, CHARGED_TENANT);
  const charging = await chargeUnderKills({
    charges: () => rpcClient(ChargeService, on.service.grpcAddress(), on.serviceTokens('research')),
    tenantId: CHARGED_TENANT,
    runs: Number(values.runs),
    kills: Number(values.kills),
    service: on.service,
    random,
    superuser: on.superuser,
  });
  violations.push(...charging.violations);
  const operator = rpcClient(UsageOperatorService, on.service.grpcAddress(), on.serviceTokens('operator'));
  const rebuilt = await operator.rebuildRollups({ check: true }, { timeoutMs: REBUILD_TIMEOUT_MS });
  operator.close();
  violations.push(...rebuilt.differences);
  if (Number(rebuilt.calls) !== calls.length) violations.push(`${rebuilt.calls} calls are stored, not ${calls.length}`);
  return {
    violations,
    figures: [
      ['calls made', whole(calls.length)],
      ['messages published, repeats included', whole(delivery.messages)],
      ['connections that published', values.publishers],
      ['services killed with -9 while calls came in', String(delivery.kills)],
      ['rows of roll-ups compared', whole(Number(rebuilt.rollupRows))],
      ['rows that differ', whole(Number(rebuilt.differingRows))],
      ['runs reserved, settled or released under kills', `${whole(charging.runs)}, ${charging.kills} kills`],
      ['calls over gRPC that a kill cut off and that were repeated', whole(charging.repeated)],
      ['violations', String(violations.length)],
    ],
  };
}

async function announceTenant(on: BenchHarness, tenantId: string): Promise<void> {
  const bus = await connectEventBus({ natsUrl: on.natsUrl, name: 'chaos' });
  const plan = { revision: 1n, plan: 'team', status: 'active', burst: 1, monthlyCredits: 1_000n };
  await publishEvent(bus, encodeEvent('tenantChanged', { tenantId, livemode: true }, plan));
  await bus.close();
  for (;;) {
    const known = await on.superuser.query('SELECT 1 FROM tenants WHERE tenant_id = $1', [tenantId]);
    if (known.rowCount === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function whole(value: number): string {
  return value.toLocaleString('en-GB');
}

function section(figures: [string, string][], postgresVersion: string): string {
  return [
    '## Repeats, disorder and kills',
    '',
    `${environment().replace('PostgreSQL 17', `PostgreSQL ${postgresVersion}`)}. Command: \`npm run chaos -- usage --events ${values.events}\`.`,
    '',
    'Each call is published once to three times in random order, each time under a message id of its own, over several connections, while the service is ended with SIGKILL again and again. Then runs are reserved and settled or released while it is killed as often; every call that a kill cuts off is repeated. Commits are durable.',
    '',
    ...INVARIANTS.map((invariant) => `- ${invariant}`),
    '',
    table(['', ''], figures),
  ].join('\n');
}
