import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCairn } from '@cairn/testing';
import { callInTurns } from '../../measurement/callers.ts';
import { environment, table, writeSection } from '../../measurement/page.ts';
import { quantile } from '../../measurement/quantile.ts';
import { api } from '../../../../e2e/tests/api.ts';
import { type Replica, startReplica } from '../../../../e2e/tests/more-replicas.ts';
import { type NewTenant, operator } from '../../../../e2e/tests/operator.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '200' },
    'no-report': { type: 'boolean', default: false },
  },
});
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'revocation.md');
const CALLERS = [1, 8, 32];
const WARM_UP = 20;
/** Keys that are made and checked at once, outside of what is measured. */
const AT_ONCE = 8;
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Times {
  calls: number;
  p50: number;
  p99: number;
  perSecond: number;
}

interface Row {
  what: string;
  gateways: number;
  callers: number;
  times: Times;
}

const cairn = await startCairn();
const replicas: Replica[] = [];
try {
  const { api_key: admin } = await operator<NewTenant>(
    cairn,
    'tenant',
    'create',
    '--name',
    'Bench',
    '--plan',
    'enterprise',
  );
  const gateways = [cairn.baseUrl];
  const rows: Row[] = [];
  const add = (what: string, callers: number, times: Times) => {
    rows.push({ what, gateways: gateways.length, callers, times });
    say(JSON.stringify(rows.at(-1)));
  };
  const measure = async (keys: number) => {
    for (const callers of CALLERS) {
      const made = await makeKeys(gateways, admin, Math.max(keys, callers));
      if (callers === 1) {
        add('GET /api/v1/whoami', 1, await timed(made, 1, ({ at }) => api(at, admin, 'GET', '/api/v1/whoami')));
        const name = 'not deleted';
        add(
          'POST /api/v1/api-keys',
          1,
          await timed(made, 1, ({ at }) => api(at, admin, 'POST', '/api/v1/api-keys', { name })),
        );
      }
      const remove = ({ at, keyId }: MadeKey) => api(at, admin, 'DELETE', `/api/v1/api-keys/${keyId}`);
      add('DELETE of a key in use', callers, await timed(made, callers, remove));
      await assertRefused(gateways, made);
    }
  };
  await measure(Number(values.keys));
  replicas.push(await startReplica(cairn, 'gateway'), await startReplica(cairn, 'gateway'));
  gateways.push(...replicas.map((replica) => replica.http));
  await measure(Number(values.keys));
  if (!values['no-report']) await writeSection(PAGE, 'Revocation', 'delete', section(rows));
} finally {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await cairn.remove();
}

interface MadeKey {
  keyId: string;
  key: string;
  /** The gateway that is asked to delete it. */
  at: string;
}

/** New keys, each of which every gateway has admitted and keeps. */
async function makeKeys(gateways: readonly string[], admin: string, count: number): Promise<MadeKey[]> {
  const made: MadeKey[] = [];
  while (made.length < count + WARM_UP)
    made.push(
      ...(await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, n) => {
          const { body } = await api(gateways[0]!, admin, 'POST', '/api/v1/api-keys', { name: 'short-lived' });
          for (const gateway of gateways) await expectStatus(gateway, body.api_key, 200);
          return { keyId: body.key_id, key: body.api_key, at: gateways[n % gateways.length]! };
        }),
      )),
    );
  return made.slice(0, count + WARM_UP);
}

/** One after the other by each caller; the first calls are not counted. */
async function timed(
  keys: readonly MadeKey[],
  callers: number,
  call: (key: MadeKey) => Promise<{ status: number; body: unknown }>,
): Promise<Times> {
  const ask = async (key: MadeKey) => {
    const { status, body } = await call(key);
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  };
  for (const key of keys.slice(0, WARM_UP)) await ask(key);
  const { times, perSecond } = await callInTurns(keys.slice(WARM_UP), callers, ask);
  return { calls: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99), perSecond };
}

async function assertRefused(gateways: readonly string[], keys: readonly MadeKey[]): Promise<void> {
  for (let from = 0; from < keys.length; from += AT_ONCE)
    await Promise.all(
      keys.slice(from, from + AT_ONCE).flatMap(({ key }) => gateways.map((gateway) => expectStatus(gateway, key, 401))),
    );
}

async function expectStatus(gateway: string, key: string, expected: number): Promise<void> {
  const { status } = await api(gateway, key, 'GET', '/api/v1/whoami');
  if (status !== expected) throw new Error(`the gateway answered ${status} instead of ${expected}`);
}

function section(rows: readonly Row[]): string {
  const goal = rows.find((row) => row.what.startsWith('DELETE') && row.gateways === 3 && row.callers === 1)!;
  return [
    '## DELETE of a key',
    '',
    `${environment()}. Command: \`npm run bench -- revocation ${process.argv.slice(2).join(' ')}\`. The machine is shared with other work: compare what is of one run.`,
    '',
    `A whole installation on loopback, first with its one gateway, then with two further gateway processes; nothing else is asked of it. Each key was admitted by every gateway before, and is refused by every one after it. With three gateways and one caller a DELETE takes ${goal.times.p50.toFixed(1)} ms, p99 **${goal.times.p99.toFixed(1)} ms** (goal: under 50 ms). Beside it, through the same gateways: a call that changes nothing, and one that creates a key, which is one commit without a word to any gateway.`,
    '',
    table(
      ['call', 'gateways', 'callers', 'calls', 'p50 / p99 ms', 'calls/s'],
      rows.map(({ what, gateways, callers, times }) => [
        what,
        String(gateways),
        String(callers),
        String(times.calls),
        `${times.p50.toFixed(1)} / ${times.p99.toFixed(1)}`,
        times.perSecond.toFixed(0),
      ]),
    ),
  ].join('\n');
}
