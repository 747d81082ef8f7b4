import { OPERATIONS, TenancyService } from '@cairn/contracts';
import { createChangeLog, eventReplayService, type RestoreGuard, runEventWork, startRestoreGuard } from '@cairn/events';
import { createServiceTokenSource } from '@cairn/identity';
import { createOutboundClients, type OutboundClients } from '@cairn/outbound';
import {
  createDatabase,
  createServiceDatabases,
  type Database,
  logIdleErrors,
  requireMigrated,
  startSweeper,
  type Tx,
} from '@cairn/postgres';
import { createCoordinator, SYSTEM_CLOCK } from '@cairn/revocation';
import {
  assertComplete,
  closeInReverse,
  listenGrpc,
  listenOperations,
  type Logger,
  openInternalTls,
  readServiceKeys,
  repeat,
  rpcClient,
  type Running,
  type StartedService,
} from '@cairn/service-kit';
import { deleteOldMonths } from './allowances/quota-store.ts';
import { deleteFullBuckets } from './allowances/rate-store.ts';
import type { Config } from './config.ts';
import { startEvents } from './events.ts';
import { boundOperations } from './http.ts';
import { MIGRATIONS } from './migrate.ts';
import { sampleGateways } from './gateways/gateway-metrics.ts';
import { createGatewayClients } from './gateways/gateway-clients.ts';
import { deleteExpiredLeases, leaseTable } from './gateways/lease-store.ts';
import { resumeInterruptedRevocations } from './invalidation/resume-interrupted-revocations.ts';
import { createInvalidate, type Invalidate } from './invalidation/invalidate.ts';
import { reapplyDecision } from './invalidation/reapply-decision.ts';
import { reapplyWhileServing } from './invalidation/reapply-while-serving.ts';
import { resumeLineageRevocations } from './invalidation/revoke-lineage.ts';
import { deleteEndedApps } from './credentials/app-store.ts';
import { deleteExpiredTokens } from './credentials/oauth-store.ts';
import { deleteEndedInvitations } from './credentials/invitation-store.ts';
import { eraseRemovedMembers } from './credentials/member-store.ts';
import { deleteEndedSessions } from './credentials/session-store.ts';
import { deleteOldRequestCounts } from './traffic/request-counts.ts';
import { deleteOldReports } from './gateways/report-usage.ts';
import { revokeDueKeys } from './api-keys/revoke-due-keys.ts';
import { rpcServices } from './rpc.ts';
import { createIdentityProvider, type IdentityProvider } from './sign-in/identity-provider.ts';
import { readProviderSettings } from './sign-in/provider-settings.ts';

const USER_AGENT = 'cairn-keys';
/** The page of the console that the identity provider leads browsers back to. */
const SIGN_IN_PATH = '/console/sign-in';
const WORKER_POOL_MAX = 6;
const PUSH_RETRY_MS = 200;
const RESUME_EVERY_MS = 5_000;
const REVOKE_DUE_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 3_600_000;

/** Puts the service together and starts it. */
export async function startKeys(
  config: Config,
  logger: Logger,
  now: () => Date = () => new Date(),
): Promise<StartedService> {
  await requireMigrated({ url: config.databaseUrl, schema: 'keys', directories: MIGRATIONS });
  const { signer, verifier, requests } = await readServiceKeys(config, 'keys');
  const tls = await openInternalTls(config, logger);
  const { database, workerDatabase, follow, close: closeDatabases } = await openDatabases(config, logger, now);
  const ownToken = createServiceTokenSource(signer, 'keys');
  const tenancy = rpcClient(TenancyService, config.tenancyGrpc, ownToken, tls);
  const gateways = createGatewayClients(ownToken, tls);
  const coordinate = createCoordinator({
    clock: SYSTEM_CLOCK,
    leases: leaseTable(workerDatabase),
    push: gateways.push,
    retryMs: PUSH_RETRY_MS,
  });
  const invalidate = createInvalidate({ coordinate, workerDatabase, logger });

  const { baseUrl, sessionIdleHours, sessionDays } = config;
  const outbound = await createOutboundClients(config, USER_AGENT, logger);
  const provider = await openProvider(config, outbound, logger);
  const sessions = { sessionIdleHours, sessionDays, provider };
  const bound = boundOperations({
    invalidate,
    database,
    workerDatabase,
    tenancy,
    outbound: outbound.untrusted,
    now,
    logger,
    baseUrl,
    ...sessions,
  });
  assertComplete('keys', OPERATIONS, bound);
  const http = await listenOperations(
    { operations: bound, requests, logger, ready: () => database.ping(), changes: createChangeLog(logger) },
    { ...config, tls },
  );
  const grpc = await listenGrpc(
    [...rpcServices({ invalidate, workerDatabase, now, logger }), eventReplayService(() => [workerDatabase])],
    config.grpcListen,
    verifier,
    logger,
    tls,
  );
  const events = runEventWork({
    broker: config,
    name: 'keys',
    logger,
    start: (bus) => startEvents(bus, { invalidate, workerDatabase, logger }),
  });
  const { publishedRetentionHours } = config;
  const background = startBackgroundWork({ invalidate, workerDatabase, now, logger, publishedRetentionHours });
  const closing = closeInReverse([
    closeDatabases,
    background,
    follow((entry) => reapplyWhileServing({ invalidate, workerDatabase, now }, entry)),
    gateways,
    async () => tenancy.close(),
    events,
    outbound,
    tls,
    grpc,
    http,
  ]);
  return { addresses: { http: http.url, grpc: grpc.address }, close: closing.close };
}

/** How people sign in, if the operator configured a provider; its addresses are the operator's, so they may be private. */
async function openProvider(
  config: Config,
  outbound: Pick<OutboundClients, 'trusted'>,
  logger: Logger,
): Promise<IdentityProvider | null> {
  const settings = await readProviderSettings(config);
  if (settings === null) return null;
  const redirectUri = `${config.baseUrl.replace(/\/$/, '')}${SIGN_IN_PATH}`;
  return createIdentityProvider(settings, { fetch: outbound.trusted.fetch, redirectUri, logger });
}

interface Databases extends Running, Pick<RestoreGuard, 'follow'> {
  database: Database;
  workerDatabase: Database;
}

/** The service's pools, once the database may be served: a restored one only after its revocations are applied. */
async function openDatabases(config: Config, logger: Logger, now: () => Date): Promise<Databases> {
  const guardDatabase = createDatabase({
    url: config.databaseWorkerUrl,
    applicationName: 'keys-restore',
    poolMax: 1,
    onIdleError: logIdleErrors(logger),
  });
  const { verify, follow, close } = await startRestoreGuard({
    database: guardDatabase,
    broker: config,
    name: 'keys',
    logger,
    reapply: (entry) => reapplyDecision({ workerDatabase: guardDatabase, now }, entry),
    oldestData,
  });
  const databases = createServiceDatabases({ service: 'keys', config, workerPoolMax: WORKER_POOL_MAX, logger, verify });
  const running = closeInReverse([guardDatabase, close, databases.database, databases.workerDatabase]);
  return { ...databases, follow, close: running.close };
}

/** A tenant whose keys are all gone does not say how old it is, and could be of any age. */
async function oldestData(tx: Tx): Promise<Date | null> {
  const [row] = await tx.query<{ oldest: Date | null }>(
    `SELECT coalesce((SELECT min(created_at) FROM api_keys), (SELECT to_timestamp(0) FROM tenants LIMIT 1)) AS oldest`,
  );
  return row!.oldest;
}

/** Periodic work: revoking rotated keys that are due, finishing interrupted revocations, deleting what has expired. */
function startBackgroundWork(deps: {
  invalidate: Invalidate;
  workerDatabase: Database;
  now: () => Date;
  logger: Logger;
  publishedRetentionHours: number;
}): Running {
  const { workerDatabase, logger } = deps;
  return closeInReverse([
    sampleGateways(workerDatabase),
    startSweeper({
      database: workerDatabase,
      publishedRetentionHours: deps.publishedRetentionHours,
      onError: (error) =>
        logger.warn({ err: error }, 'sweeper: deleting expired outbox and idempotency rows failed; retrying'),
    }),
    repeat(
      SWEEP_EVERY_MS,
      () =>
        workerDatabase.transaction(async (tx) => {
          await deleteOldReports(tx);
          await deleteExpiredTokens(tx);
          await deleteEndedSessions(tx);
          await deleteEndedApps(tx);
          await deleteEndedInvitations(tx);
          await eraseRemovedMembers(tx);
          await deleteExpiredLeases(tx);
          await deleteFullBuckets(tx);
          await deleteOldMonths(tx);
          await deleteOldRequestCounts(tx);
        }),
      (error) =>
        logger.warn(
          { err: error },
          'sweeper: deleting expired usage reports, tokens, sessions, apps, invitations, leases, buckets, quotas and counts of requests failed; retrying in an hour',
        ),
    ),
    repeat(
      RESUME_EVERY_MS,
      async () => {
        await resumeInterruptedRevocations(deps);
        await resumeLineageRevocations(deps);
      },
      (error) => logger.error({ err: error }, 'revocation: resuming interrupted revocations failed; retrying in 5 s'),
    ),
    repeat(
      REVOKE_DUE_EVERY_MS,
      () => revokeDueKeys(deps),
      (error) => logger.error({ err: error }, 'revocation: revoking rotated keys failed; retrying in 1 s'),
    ),
  ]);
}
