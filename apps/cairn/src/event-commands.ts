import { readFile } from 'node:fs/promises';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventReplayService } from '@cairn/contracts';
import { createServiceTokenSource, createTokenSigner } from '@cairn/identity';
import { createLogger, type InternalTls, openInternalTls, rpcClient } from '@cairn/service-kit';
import type { Command } from 'commander';
import { prepareBroker } from './broker-commands.ts';
import type { Config } from './config.ts';
import { type Addresses, dataFolderIn, readJson } from './data-folder.ts';
import { parseTime } from './parse-time.ts';

/** The services that publish events, each with what holds its address. */
const PUBLISHERS = {
  keys: 'keysGrpc',
  tenancy: 'tenancyGrpc',
  memory: 'memoryGrpc',
  research: 'researchGrpc',
  webhooks: 'webhooksGrpc',
} as const;
type Publisher = keyof typeof PUBLISHERS;

interface ReplayFlags {
  since: string;
  until?: string;
  service: string[];
  json?: boolean;
}

interface Target {
  addresses: Partial<Record<(typeof PUBLISHERS)[Publisher], string | undefined>>;
  operatorKeyFile: string;
  /** URL of a broker user with all permissions; null: somebody else prepares the streams. */
  natsAdminUrl: string | null;
  tls: InternalTls | null;
}

/** `operator events`: having events published again that a broker lost. */
export function addEventCommands(operator: Command, settings: Config, say: (line?: string) => void): void {
  operator
    .command('events')
    .description('events between the services')
    .command('replay')
    .description('publish events again that the broker acknowledged and then lost; consumers skip those they know')
    .requiredOption('--since <time>', 'events published from then on, e.g. 2026-11-22T14:00:00Z')
    .option('--until <time>', 'events published before then. Default: now')
    .option('--service <name...>', `only those of ${Object.keys(PUBLISHERS).join(', ')}`, Object.keys(PUBLISHERS))
    .option('--json', 'print JSON')
    .action((flags: ReplayFlags) => replayEvents(settings, flags, say));
}

async function replayEvents(settings: Config, flags: ReplayFlags, say: (line?: string) => void): Promise<void> {
  const since = parseTime('--since', flags.since);
  const now = new Date();
  const wanted = flags.until === undefined ? now : parseTime('--until', flags.until);
  // What is published again counts as published now: an end in the future would meet it again and again.
  const until = wanted > now ? now : wanted;
  if (since >= until) throw new Error('--since must be before --until.');
  const services = flags.service.map(publisherOf);
  const target = await targetOf(settings);
  const results: ReplayResult[] = [];
  try {
    for (const service of services)
      if (target.addresses[PUBLISHERS[service]] === undefined)
        throw new Error(`Set CAIRN_${service.toUpperCase()}_GRPC, or leave ${service} out with --service.`);
    if (target.natsAdminUrl !== null) await prepareBroker(target.natsAdminUrl);
    const signer = await createTokenSigner(JSON.parse(await readFile(target.operatorKeyFile, 'utf8')));
    const token = createServiceTokenSource(signer, 'operator');
    for (const service of services) results.push(await replayOf(target, service, token, { since, until }));
  } finally {
    await target.tls?.close();
  }
  if (flags.json === true) return say(JSON.stringify(results));
  for (const { service, replayed, kept_since } of results)
    say(
      `${service}: ${replayed} events are published again${kept_since === null ? '' : ` (kept since ${kept_since})`}.`,
    );
}

interface ReplayResult {
  service: Publisher;
  replayed: number;
  /** Older events are not stored any more; null: all are. */
  kept_since: string | null;
}

async function replayOf(
  { addresses, tls }: Target,
  service: Publisher,
  token: ReturnType<typeof createServiceTokenSource>,
  range: { since: Date; until: Date },
): Promise<ReplayResult> {
  const client = rpcClient(EventReplayService, addresses[PUBLISHERS[service]]!, token, tls, service);
  const request = { since: timestampFromDate(range.since), until: timestampFromDate(range.until) };
  try {
    for (let replayed = 0; ;) {
      const answer = await client.replayEvents(request, { timeoutMs: CALL_TIMEOUT_MS });
      replayed += Number(answer.replayed);
      if (!answer.finished) continue;
      const keptSince = answer.keptSince === undefined ? null : timestampDate(answer.keptSince);
      return { service, replayed, kept_since: keptSince?.toISOString() ?? null };
    }
  } finally {
    client.close();
  }
}

const CALL_TIMEOUT_MS = 30_000;

function publisherOf(name: string): Publisher {
  if (Object.hasOwn(PUBLISHERS, name)) return name as Publisher;
  throw new Error(`--service: ${name} publishes no events; choose from ${Object.keys(PUBLISHERS).join(', ')}.`);
}

/** The installation that the settings name: by key and addresses, or else by its data folder. */
async function targetOf(settings: Config): Promise<Target> {
  if (settings.operatorKeyFile !== undefined)
    return {
      addresses: settings,
      operatorKeyFile: settings.operatorKeyFile,
      natsAdminUrl: settings.natsAdminUrl ?? null,
      tls: await openInternalTls(settings, createLogger('cairn', 'warn')),
    };
  // Opening it would make it: what is no installation must not become a folder with keys.
  const folder = dataFolderIn(settings.dataDir);
  const addresses = await readJson<Addresses>(folder.addressesFile);
  if (addresses === null) throw new Error(`No installation runs on ${settings.dataDir}. Run “npm start” first.`);
  return { addresses, operatorKeyFile: folder.signingKeyFile('operator'), natsAdminUrl: null, tls: null };
}
