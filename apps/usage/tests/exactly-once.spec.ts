import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeEvent } from '@cairn/contracts';
import { UsageOperatorService } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { createTestDatabase, createTestIdentities, seededRandom, startTestNats, temporaryFolder } from '@cairn/testing';
import fc from 'fast-check';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { deliver } from './delivery.ts';
import { differences, expectedUsage } from './expected-usage.ts';
import { PRICES } from './prices.ts';
import { randomCall, shuffled, smallWorld } from './random-calls.ts';
import { startServiceProcess } from './service-process.ts';
import { ingestCalls } from '../src/calls/ingest-calls.ts';
import { createMonthPartitions } from '../src/months/partitions.ts';
import { readCall } from '../src/calls/read-call.ts';
import { parsePriceList } from '../src/prices/price-list.ts';
import { rebuildRollups } from '../src/rollups/rebuild-rollups.ts';
import { MIGRATIONS } from '../src/migrate.ts';

type Database = Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let superuser: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase({ service: 'usage', migrations: MIGRATIONS });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
});
afterEach(() => superuser.query('TRUNCATE usage.llm_calls, usage.llm_rollups, usage.credit_accounts, usage.tenants'));
afterAll(async () => {
  await superuser.end();
  await database.close();
});

const checkAll = () =>
  rebuildRollups(
    { maintenanceDatabase: database.worker },
    { fromMonth: null, toMonth: null, tenantId: null, check: true },
  );

describe('whatever order and however often calls come', () => {
  it('each is added once in every dimension, to the integer, and calls, roll-ups and credits agree', async () => {
    const prices = parsePriceList(JSON.stringify(PRICES), 'prices.json');
    const deps = {
      workerDatabase: database.worker,
      prices: { current: () => prices },
      months: createMonthPartitions(database.worker),
      logger: pino({ level: 'silent' }),
    };
    const runs = fc.record({
      seed: fc.nat(),
      calls: fc.integer({ min: 1, max: 120 }),
      repeatsMax: fc.integer({ min: 1, max: 3 }),
      batchMax: fc.integer({ min: 1, max: 60 }),
      atOnce: fc.integer({ min: 1, max: 6 }),
    });
    await fc.assert(
      fc
        .asyncProperty(runs, async ({ seed, calls, repeatsMax, batchMax, atOnce }) => {
          const random = seededRandom(seed);
          const world = smallWorld();
          const made = Array.from({ length: calls }, () => randomCall(random, world));
          const delivered = shuffled(
            random,
            made.flatMap(({ event }) => Array.from({ length: 1 + Math.floor(random() * repeatsMax) }, () => event)),
          ).map(({ payload }) => readCall(decodeEvent(payload)));
          const batches: (typeof delivered)[] = [];
          for (let from = 0; from < delivered.length; from += batchMax)
            batches.push(delivered.slice(from, from + batchMax));
          const worker = async () => {
            for (let batch = batches.shift(); batch !== undefined; batch = batches.shift())
              await ingestCalls(deps, batch);
          };
          await Promise.all(Array.from({ length: atOnce }, worker));
          expect(await differences(superuser, expectedUsage(made))).toEqual([]);
          expect(await checkAll()).toMatchObject({ calls, differingRows: 0, differences: [] });
        })
        .afterEach(async () => {
          await superuser.query('TRUNCATE usage.llm_calls, usage.llm_rollups, usage.credit_accounts, usage.tenants');
        }),
      { numRuns: 40 },
    );
  }, 240_000);

  it('a repeat that says something else changes nothing: the first counts', async () => {
    const prices = parsePriceList(JSON.stringify(PRICES), 'prices.json');
    const deps = {
      workerDatabase: database.worker,
      prices: { current: () => prices },
      logger: pino({ level: 'silent' }),
      months: createMonthPartitions(database.worker),
    };
    const call = randomCall(seededRandom(1), smallWorld());
    const read = readCall(decodeEvent(call.event.payload));
    await ingestCalls(deps, [read]);
    const otherDay = { ...read, occurred_at: new Date(read.occurred_at.getTime() - 40 * 86_400_000) };
    await ingestCalls(deps, [otherDay, { ...read, input_tokens: 999_999, model: 'other' }]);
    expect(await differences(superuser, expectedUsage([call]))).toEqual([]);
  });
});

describe('a service that is killed with -9 while calls come in', () => {
  it('has counted each once when it is done', async () => {
    const [nats, identities, folder] = await Promise.all([
      startTestNats(),
      createTestIdentities(),
      temporaryFolder('cairn-kill-'),
    ]);
    const pricesFile = join(folder, 'prices.json');
    await writeFile(pricesFile, JSON.stringify(PRICES));
    const service = await startServiceProcess({
      DATABASE_URL: database.url,
      DATABASE_WORKER_URL: database.workerUrl,
      NATS_URL: nats.url,
      CAIRN_SIGNING_KEY_FILE: identities.signingKeyFile('usage'),
      CAIRN_JWKS_FILE: identities.jwksFile,
      CAIRN_REQUEST_KEYS_FILE: identities.requestKeysFile,
      CAIRN_TENANCY_GRPC: '127.0.0.1:9',
      CAIRN_PRICES_FILE: pricesFile,
      CAIRN_LOG_LEVEL: 'silent',
    });
    try {
      const random = seededRandom(7);
      const world = smallWorld();
      const calls = Array.from({ length: 6_000 }, () => randomCall(random, world));
      const { kills } = await deliver({ natsUrl: nats.url, calls, random, publishers: 4, kills: 3, service });
      expect(kills).toBe(3);
      expect(await differences(superuser, expectedUsage(calls))).toEqual([]);
      const operator = rpcClient(UsageOperatorService, service.grpcAddress(), identities.serviceTokens('operator'));
      const checked = await operator.rebuildRollups({ check: true }, { timeoutMs: 60_000 });
      expect(checked).toMatchObject({ calls: 6_000n, differingRows: 0n });
      operator.close();
    } finally {
      await service.stop();
      await nats.remove();
      await identities.remove();
      await rm(folder, { recursive: true, force: true });
    }
  }, 240_000);
});
