import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf, processOfEach, type RunningCairn } from '@cairn/testing';
import { type NewTenant, operator } from '../../../../../e2e/tests/operator.ts';
import type { AttackOrder, AttackReport } from './attacker-main.ts';
import { sendSchedule } from './scheduled-traffic.ts';
import type { PhaseResults } from './report.ts';
import { observeLoad } from './service-load.ts';

interface Play {
  seed: number;
  /** Of the polite tenant by itself, before it is counted; then counted; then beside the hostile one. */
  settlingMs: number;
  quietMs: number;
  besideMs: number;
  /** Names of the attacks to play; default: all. */
  only?: readonly string[];
}

const REPORT_GRACE_MS = 60_000;

/** What an installation needs to be attacked from its own machine, with bounds as shipped. */
export const ATTACKED_ENV = {
  // The attacker's sites are on this machine.
  CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
  // Specs are refused more often.
  CAIRN_REFUSED_REQUESTS_PER_SECOND: '10',
  CAIRN_OVERLOADED_FROM_MS: '5',
  // The delays of the event loops are read from the metrics.
  CAIRN_METRICS_PORT: '0',
};

/** The polite tenant alone, then beside the hostile one. */
export async function runPhases(installation: RunningCairn, play: Play): Promise<PhaseResults> {
  const hostile = await operator<NewTenant>(installation, 'tenant', 'create', '--name', 'Hostile', '--plan', 'team');
  const polite = { baseUrl: installation.baseUrl, apiKey: installation.apiKey };
  await sendSchedule(polite, play.settlingMs);
  const before = await measuredPids(installation);
  const quietLoad = await observeLoad(installation);
  const quiet = await sendSchedule(polite, play.quietMs);
  const load = { quiet: await quietLoad.end() };
  const order: AttackOrder = {
    baseUrl: installation.baseUrl,
    liveKey: hostile.api_key,
    testKey: hostile.test_api_key,
    seed: play.seed,
    durationMs: play.besideMs,
    ...(play.only === undefined ? {} : { only: play.only }),
  };
  const attacker = await startAttacker();
  const besideLoad = await observeLoad(installation);
  const attacked = attackWith(attacker, order);
  const beside = await sendSchedule(polite, order.durationMs);
  const loadBeside = await besideLoad.end();
  const attack = await attacked;
  const after = await measuredPids(installation);
  const ended = [...before].filter(([service, pid]) => after.get(service) !== pid).map(([service]) => service);
  return { quiet, beside, attack, ended, load: { ...load, beside: loadBeside } };
}

/** It stands for another machine, so it takes only the processor time that the services leave. */
async function startAttacker(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'attacker-main.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  await new Promise((resolve) => child.once('message', resolve));
  setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
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

/** Service → its process, and that of the broker. */
async function measuredPids(installation: RunningCairn): Promise<Map<string, number>> {
  const found = await processOfEach(installation);
  for (const pid of await processesOf(installation.dataDir, installation.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('nats-server')) found.set('nats-server', pid);
  }
  return found;
}
