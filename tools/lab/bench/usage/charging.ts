import { type ChargeService, ChargeState, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../../../../apps/usage/tests/service-process.ts';

interface ChargingOptions {
  /** A client of the process that runs now. */
  charges: () => RpcClient<typeof ChargeService>;
  /** With credits for 100 times `list.build`. */
  tenantId: string;
  runs: number;
  kills: number;
  service: ServiceProcess;
  random: () => number;
  superuser: pg.Client;
}

interface ChargingResult {
  runs: number;
  kills: number;
  /** Calls that were cut off and made again. */
  repeated: number;
  violations: string[];
}

const AT_ONCE = 16;
const PRICE = 10_000_000;
const GRANTED = 1_000_000_000;
const RETRY_MS = 20;

/**
 * Runs that reserve and then settle or release, as research does: what is cut off is repeated until it is answered.
 * The service is killed on the way. At the end the ledger must say of each run exactly what its caller was told.
 */
export async function chargeUnderKills(options: ChargingOptions): Promise<ChargingResult> {
  const told = new Map<string, ChargeState | 'refused'>();
  const result: ChargingResult = { runs: options.runs, kills: 0, repeated: 0, violations: [] };
  let client = options.charges();
  const untilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof CairnError) || error.code === 'insufficient_credits') throw error;
        if (error.code !== 'unavailable' && error.code !== 'internal') throw error;
        result.repeated += 1;
        await sleep(RETRY_MS);
      }
    }
  };
  const one = async () => {
    const runId = newId('thread');
    const run = { tenantId: options.tenantId, runId };
    const settles = options.random() < 0.4;
    try {
      await untilAnswered(() => client.reserveCharge({ ...run, livemode: true, charge: 'list.build' }));
    } catch (error) {
      if (!(error instanceof CairnError) || error.code !== 'insufficient_credits') throw error;
      told.set(runId, 'refused');
      return;
    }
    const end = async () => (settles ? await client.settleCharge(run) : await client.releaseCharge(run)).charge!.state;
    told.set(runId, await untilAnswered(end));
  };
  let left = options.runs;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  const working = Promise.all(Array.from({ length: AT_ONCE }, worker));
  while (result.kills < options.kills) {
    if (left <= options.runs - ((result.kills + 1) * options.runs) / (options.kills + 1)) {
      result.kills += 1;
      await options.service.killAndRestart();
      const before = client;
      client = options.charges();
      before.close();
    } else await sleep(2);
  }
  await working;
  client.close();
  result.violations.push(...(await compareLedger(options, told)));
  return result;
}

async function compareLedger(
  { superuser, tenantId }: ChargingOptions,
  told: ReadonlyMap<string, ChargeState | 'refused'>,
): Promise<string[]> {
  const violations: string[] = [];
  const STATES: Record<string, ChargeState> = {
    reserved: ChargeState.RESERVED,
    settled: ChargeState.SETTLED,
    released: ChargeState.RELEASED,
  };
  const { rows } = await superuser.query<{ run_id: string; state: string }>(
    'SELECT run_id, state FROM charges WHERE tenant_id = $1',
    [tenantId],
  );
  const kept = new Map(rows.map(({ run_id, state }) => [run_id, STATES[state]!]));
  for (const [runId, state] of told) {
    const is = kept.get(runId) ?? 'refused';
    if (is !== state) violations.push(`run ${runId} is ${String(is)}, its caller was told ${String(state)}`);
  }
  if ([...kept.keys()].some((runId) => !told.has(runId))) violations.push('a run is charged that nobody asked for');
  const settled = rows.filter(({ state }) => state === 'settled').length;
  const account = await superuser.query<Record<string, string>>(
    'SELECT granted, reserved, settled, llm FROM credit_accounts WHERE tenant_id = $1',
    [tenantId],
  );
  const is = JSON.stringify(Object.values(account.rows[0] ?? {}).map(Number));
  const should = JSON.stringify([GRANTED, 0, settled * PRICE, 0]);
  if (is !== should) violations.push(`the account is ${is}, not ${should}`);
  return violations;
}
