import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processesOf, type RunningCairn, startCairn, writeSection } from '@cairn/testing';
import { type NewTenant, operator } from '../../tests/operator.ts';
import type { AttackOrder, AttackReport } from './attacker-main.ts';
import { sendPolitely } from './polite-traffic.ts';
import { judge, reportOf } from './report.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'measurements', 'hostile-tenant.md');
const SETTLING_MS = 10_000;
const REPORT_GRACE_MS = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'quiet-minutes': { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    'no-report': { type: 'boolean' },
  },
});
const [minutes, quietMinutes, seed] = [values.minutes, values['quiet-minutes'], values.seed].map(Number) as [
  number,
  number,
  number,
];

const cairn = await startCairn({
  args: [],
  env: {
    // The attacker's sites are on this machine.
    CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
    // As shipped; specs are refused more often.
    CAIRN_REFUSED_REQUESTS_PER_SECOND: '10',
  },
});
try {
  process.exitCode = (await playBoth(cairn)) ? 0 : 1;
} finally {
  await cairn.remove();
}

/** The polite tenant alone, then beside the hostile one; true when nothing that the polite one notices got worse. */
async function playBoth(installation: RunningCairn): Promise<boolean> {
  const hostile = await operator<NewTenant>(installation, 'tenant', 'create', '--name', 'Hostile', '--plan', 'team');
  const polite = { baseUrl: installation.baseUrl, apiKey: installation.apiKey };
  await sendPolitely(polite, SETTLING_MS);
  const before = await servicePids(installation);
  say(`The polite tenant alone for ${quietMinutes} min …`);
  const quiet = await sendPolitely(polite, quietMinutes * 60_000);

  say(`Both tenants for ${minutes} min, seed ${seed} …`);
  const order: AttackOrder = {
    baseUrl: installation.baseUrl,
    liveKey: hostile.api_key,
    testKey: hostile.test_api_key,
    seed,
    durationMs: minutes * 60_000,
  };
  const attacker = await startAttacker();
  const attacked = attackWith(attacker, order);
  const beside = await sendPolitely(polite, order.durationMs);
  const attack = await attacked;
  const after = await servicePids(installation);
  const ended = [...before].filter(([service, pid]) => after.get(service) !== pid).map(([service]) => service);

  const result = judge({ quiet, beside, attack, ended });
  const body = reportOf({ quiet, beside, attack, ended }, result, { minutes, quietMinutes, seed });
  process.stdout.write(`${body}\n`);
  if (values['no-report'] !== true) await writeSection(PAGE, 'Measurements: a hostile tenant', 'hostile', body);
  return result.passed;
}

async function startAttacker(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'attacker-main.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}

async function attackWith(child: ChildProcess, order: AttackOrder): Promise<AttackReport> {
  const report = new Promise<AttackReport>((resolve, reject) => {
    child.once('message', (message) => resolve(message as AttackReport));
    child.once('exit', (code) => reject(new Error(`the attacker ended early, with exit code ${code}`)));
  });
  child.send(order);
  const late = sleep(order.durationMs + REPORT_GRACE_MS, undefined, { ref: false }).then(() => {
    child.kill('SIGKILL');
    throw new Error('the attacker did not report in time');
  });
  return Promise.race([report, late]);
}

/** Pid of each service's process by its name, and of the engines. */
async function servicePids(installation: RunningCairn): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const pid of await processesOf(installation.dataDir, installation.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const service = /apps\/(\w+)\/src\/main\.ts/.exec(command)?.[1];
    if (service !== undefined) found.set(service, pid);
    if (command.includes('nats-server')) found.set('nats-server', pid);
  }
  return found;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
