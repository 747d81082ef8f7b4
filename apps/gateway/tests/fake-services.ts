import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AllowanceService,
  CredentialSchema,
  Denial,
  KeyKind,
  KeysService,
  newId,
  SCOPES,
  SESSION_PREFIX,
  TenancyService,
  type UsageReport,
} from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { digestOf, generateKey, generateSecret, type TokenVerifier } from '@cairn/identity';
import { createLogger, listenGrpc, requireService, rpc, type Running } from '@cairn/service-kit';
import { type AddressLimiter, createAddressLimiter } from '../src/limits/address-limiter.ts';
import type { RateLimit } from '../src/limits/rate-limit.ts';

type CredentialInit = MessageInitShape<typeof CredentialSchema>;

export const TENANT = newId('tenant');
const ADDRESS = { host: '127.0.0.1', port: 0 };
const logger = createLogger('gateway', 'silent');

/** Plays keys: mints what the gateway will resolve. */
export interface FakeKeys {
  mint(credential?: CredentialInit): string;
  /** A session of the console, as it is in a cookie. */
  mintSession(entry: CredentialInit | Denial): string;
  mintDenied(denial: Denial): string;
  /** A key of the right form that nobody minted. */
  unknown(): string;
  unknownSession(): string;
  /** Questions so far. */
  asked(): number;
  /** Requests that were reported of a key so far. */
  used(keyId: string): number;
  /** Operation, class of status and number of the requests that gateways reported of the key. */
  requestsOf(keyId: string): [operation: string, statusClass: number, requests: number][];
  /** What is awaited before each response. */
  delay(wait: () => Promise<unknown>): void;
  /** The same before each draw is answered. */
  delayDraws(wait: () => Promise<unknown>): void;
  /** Fails every question from here on; undefined ends that. */
  fail(error: Error | undefined): void;
  /** Requests that every tenant may make each month; less than 0: any number. */
  allowMonthly(requests: bigint): void;
  /** Refuses renewals from here on, or grants them again. */
  grant(granted: boolean): void;
  /** Changes the result for a credential that was minted. */
  change(plaintext: string, entry: CredentialInit | Denial): void;
  stop(): Promise<void>;
}

const UNLIMITED = -1n;

/** Stands in for the bucket that gateways share. */
function draw(bucket: AddressLimiter, { keyId, want, ...limit }: { keyId: string; want: number } & RateLimit) {
  let granted = 0;
  let decision = bucket.take(keyId, limit);
  while (decision.allowed && ++granted < want) decision = bucket.take(keyId, limit);
  return { keyId, granted, left: decision.remaining, waitMs: decision.retryAfterSeconds * 1_000 };
}

export async function startFakeKeys(verifier: TokenVerifier): Promise<FakeKeys & { address: string }> {
  const known = new Map<string, CredentialInit | Denial>();
  const used = new Map<string, number>();
  const reported: UsageReport['requests'] = [];
  let asked = 0;
  let granted = true;
  const bucket = createAddressLimiter();
  let quota = UNLIMITED;
  let failure: Error | undefined;
  let wait: () => Promise<unknown> = async () => undefined;
  let waitToDraw: () => Promise<unknown> = async () => undefined;
  const service = rpc(KeysService, {
    async renewLease(_request, context) {
      requireService(context, 'gateway');
      if (failure !== undefined) throw failure;
      return { granted, durationMs: 30_000, sharing: 1 };
    },
    async resolve({ sha256 }, context) {
      requireService(context, 'gateway');
      asked++;
      await wait();
      if (failure !== undefined) throw failure;
      const found = known.get(Buffer.from(sha256).toString('hex')) ?? Denial.UNKNOWN;
      if (typeof found === 'number') return { result: { case: 'denial' as const, value: found } };
      return { result: { case: 'credential' as const, value: create(CredentialSchema, found) } };
    },
    async reportUsage(report, context) {
      requireService(context, 'gateway');
      for (const { keyId, count } of report.usage) used.set(keyId, (used.get(keyId) ?? 0) + Number(count));
      reported.push(...report.requests);
      return {};
    },
  });
  const allowances = rpc(AllowanceService, {
    async drawAllowances({ rates, quotas }, context) {
      requireService(context, 'gateway');
      await waitToDraw();
      if (failure !== undefined) throw failure;
      return {
        rates: rates.map((rate) => draw(bucket, rate)),
        quotas: quotas.map(({ tenantId, month, hold }) => ({
          tenantId,
          month,
          held: quota === UNLIMITED || hold < quota ? hold : quota,
          limit: quota === UNLIMITED ? 0n : quota,
          left: quota === UNLIMITED || hold > quota ? 0n : quota - hold,
          unlimited: quota === UNLIMITED,
        })),
      };
    },
    settleHolds: async () => ({ settled: true }),
  });
  const server = await listenGrpc([service, allowances], ADDRESS, verifier, logger);
  const put = (entry: CredentialInit | Denial) => {
    const { plaintext } = generateKey('live');
    known.set(digestOf(plaintext).toString('hex'), entry);
    return plaintext;
  };
  return {
    address: server.address,
    mint: (credential: CredentialInit = {}) =>
      put({ ...fullCredential(credential.keyId ?? newId('key')), ...credential } as CredentialInit),
    mintSession: (entry) => {
      const { plaintext } = generateSecret(SESSION_PREFIX);
      const { keyId = newId('key'), ...rest } = typeof entry === 'object' ? entry : {};
      known.set(
        digestOf(plaintext).toString('hex'),
        typeof entry === 'object' ? ({ ...fullCredential(keyId), ...rest } as CredentialInit) : entry,
      );
      return plaintext;
    },
    mintDenied: put,
    unknown: () => generateKey('live').plaintext,
    unknownSession: () => generateSecret(SESSION_PREFIX).plaintext,
    asked: () => asked,
    used: (keyId) => used.get(keyId) ?? 0,
    requestsOf: (keyId) =>
      reported
        .filter((group) => group.keyId === keyId)
        .map(({ operation, statusClass, requests }) => [operation, statusClass, Number(requests)]),
    delay(next) {
      wait = next;
    },
    delayDraws(next) {
      waitToDraw = next;
    },
    allowMonthly(requests) {
      quota = requests;
    },
    fail(error) {
      failure = error;
    },
    grant(next) {
      granted = next;
    },
    change: (plaintext, entry) => void known.set(digestOf(plaintext).toString('hex'), entry),
    stop: () => server.close(),
  };
}

function fullCredential(keyId: string): CredentialInit {
  return {
    keyId,
    credentialId: keyId,
    tenantId: TENANT,
    livemode: true,
    kind: KeyKind.LIVE,
    scopes: [...SCOPES],
    rateLimit: { requestsPerSecond: 1_000, burst: 10_000 },
  };
}

export function startFakeTenancy(
  verifier: TokenVerifier,
  hosts: Map<string, { memoryId: string; tenantId: string }>,
): Promise<Running & { address: string }> {
  const service = rpc(TenancyService, {
    async findMemoryHost({ subdomain }, context) {
      requireService(context, 'gateway');
      const found = hosts.get(subdomain);
      if (found === undefined) throw notFound('The memory');
      return found;
    },
    describeTenant: noBusiness,
    getMemory: noBusiness,
    getSpace: noBusiness,
    listSpaces: noBusiness,
    listTenantEngines: noBusiness,
  });
  return listenGrpc([service], ADDRESS, verifier, logger);
}

async function noBusiness(): Promise<never> {
  throw new CairnError('internal', 'The gateway has no business here.');
}
