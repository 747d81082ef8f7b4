import { connectEventBus, publishEvent } from '@cairn/events';
import type { Outbound } from '@cairn/outbound';
import { createDatabase, type Database, startOutboxRelay, type Tx } from '@cairn/postgres';
import pino from 'pino';
import { SYSTEM_CLOCK } from '../src/clock.ts';
import type { Config } from '../src/config.ts';
import { startWebhooks } from '../src/service.ts';
import type { Step } from './steps.ts';

/** What the parent sends first. */
export interface ServiceProcessOptions {
  config: Config;
  /** Where this process stands still, to be killed there. */
  haltAt?: Step;
  /** How much later it is here, so that claims of a process that was killed have run out. */
  aheadMs?: number;
  /** Also publishes the outbox of the service's own schema, as a service does whose events these are. */
  relay?: boolean;
}

const never = new Promise<never>(() => undefined);

process.once('message', (options: ServiceProcessOptions) => {
  run(options).catch((error: unknown) => {
    process.send?.({ failed: String(error) });
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(1));

async function run({ config, haltAt, aheadMs = 0, relay = false }: ServiceProcessOptions): Promise<void> {
  let reached = false;
  const halt = async (step: Step) => {
    if (step !== haltAt || reached) return;
    reached = true;
    process.send?.({ halted: step });
    await never;
  };
  const clock = { ...SYSTEM_CLOCK, now: () => new Date(Date.now() + aheadMs) };
  const ports = {
    clock,
    database: (database: Database) => haltingDatabase(database, halt),
    outbound: (outbound: Outbound) => haltingOutbound(outbound, halt),
  };
  if (relay) await startRelay(config, halt);
  const service = await startWebhooks(config, pino({ level: 'silent' }), ports);
  process.send?.({ ready: service.addresses });
}

async function startRelay(config: Config, halt: (step: Step) => Promise<void>): Promise<void> {
  const bus = await connectEventBus({ natsUrl: config.natsUrl, name: 'relay' });
  await startOutboxRelay({
    database: createDatabase({ url: config.databaseWorkerUrl, applicationName: 'relay', poolMax: 2 }),
    schema: 'webhooks',
    async publish(message) {
      await halt('event committed');
      await publishEvent(bus, message);
      await halt('event published');
    },
    onError: () => undefined,
  });
}

/** Stands still around the transactions of the steps; what it stands in has not committed, or has. */
function haltingDatabase(database: Database, halt: (step: Step) => Promise<void>): Database {
  return {
    ...database,
    async transaction(work, options) {
      const done = new Set<string>();
      const result = await database.transaction(async (tx) => {
        const inner = await work(watched(tx, done, halt));
        if (done.has('webhook_deliveries_insert')) await halt('deliveries written');
        if (done.has('webhook_claim_due')) await halt('claim written');
        if (done.has('webhook_record_attempts')) await halt('record written');
        return inner;
      }, options);
      if (done.has('webhook_deliveries_insert')) await halt('deliveries committed');
      if (done.has('webhook_claim_due')) await halt('claim committed');
      if (done.has('webhook_record_attempts')) await halt('record committed');
      return result;
    },
  };
}

function watched(tx: Tx, done: Set<string>, halt: (step: Step) => Promise<void>): Tx {
  return {
    ...tx,
    async query(text, values) {
      const name = typeof text === 'string' ? '' : (text.name ?? '');
      if (name === 'webhook_subscribers') await halt('event consumed');
      const rows = await tx.query<never>(text, values);
      if (rows.length > 0) done.add(name);
      return rows;
    },
    async execute(text, values) {
      const count = await tx.execute(text, values);
      if (typeof text !== 'string') done.add(text.name ?? '');
      return count;
    },
  };
}

function haltingOutbound(outbound: Outbound, halt: (step: Step) => Promise<void>): Outbound {
  return {
    ...outbound,
    async request(url, request) {
      await halt('about to send');
      const answer = await outbound.request(url, request);
      await halt('sent and answered');
      return answer;
    },
  };
}
