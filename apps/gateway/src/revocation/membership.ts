import { randomUUID } from 'node:crypto';
import type { Denial, KeysService } from '@cairn/contracts';
import {
  type BeginUnknownLookup,
  type Clock,
  createCredentialGuard,
  createInvalidationLog,
  maintainLease,
  type Invalidation,
  type Lookup,
  SYSTEM_CLOCK,
} from '@cairn/revocation';
import { CairnError } from '@cairn/errors';
import { closeInReverse, type RpcClient, type Running } from '@cairn/service-kit';
import type { AuthContext } from '../admission/auth-context.ts';
import { createConnectionRegistry } from './connection-registry.ts';
import { countLoss, observeRenewal, sampleLease } from './lease-metrics.ts';

const RENEW_EVERY_MS = 5_000;
const RENEW_TIMEOUT_MS = 2_000;
const LEASE_MARGIN_MS = 2_000;
/** An invalidation takes two leases at most. */
const DENY_RETENTION_MS = 600_000;
const RECHECK_RETENTION_MS = 60_000;
const INVALIDATIONS_MAX = 500_000;
const HIT_TTL_MS = 30_000;
/** Shorter: a key that is not valid may become so, and nobody should wait half a minute for that. */
const NEGATIVE_TTL_MS = 5_000;
const NEGATIVES_MAX = 10_000;
/** Twice the cache: a credential that was evicted from it is still known to have been good. */
const REMEMBERED_PER_CACHED = 2;
const SEEN_GOOD_PENDING_MAX = 1_000;
const OTHER_PENDING_MAX = 1_000;
/** A request that was admitted without a lease is forwarded within this time, or not at all. */
const ADMITTED_UNLEASED_MS = 5_000;

interface MembershipOptions {
  keys: Pick<RpcClient<typeof KeysService>, 'renewLease'>;
  /** Looks a credential up at keys by its digest, past every cache. */
  lookUp: (digest: string, seenGood: boolean) => Promise<Lookup<AuthContext, Denial>>;
  /** The denial of credentials that an invalidation denied. */
  denied: Denial;
  /** host:port where keys reaches this gateway and no other. */
  address: string;
  credentialsMax: number;
  clock?: Clock;
}

/** This gateway as one of those that keys notifies of invalidations; see docs/revocation.md. */
export interface Membership extends Running {
  /** Settles when this gateway has its first lease, or keys could not be reached. */
  joined: Promise<void>;
  admit(digest: string, beginUnknown?: BeginUnknownLookup): Promise<Lookup<AuthContext, Denial>>;
  /** Applies an invalidation from now on; returns the memberships of this process, the latest first. */
  invalidate(invalidation: Invalidation): readonly string[];
  /** How long an identity that is issued now may be valid, in milliseconds. */
  admitForMs(): number;
  /** Among how many gateways reserved shares are divided; 0 while this one has no part of them. */
  gatewayCount(): number;
  /**
   * The current state of the lease and the log; read before a credential is admitted whose connection is registered
   * later.
   */
  epoch(): Epoch;
  /**
   * Registers a connection of a credential that was admitted in the epoch, so that it is closed with the credential: at
   * once when that was invalidated, or the lease lost, since. Call what it returns when the connection has closed by
   * itself.
   */
  register(auth: AuthContext, since: Epoch, close: () => void): () => void;
}

export interface Epoch {
  leaseId: string;
  logVersion: number;
}

export function startMembership(options: MembershipOptions): Membership {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const connections = createConnectionRegistry();
  const nowMs = () => clock.monotonicMs();
  const log = createInvalidationLog({
    nowMs,
    denyRetentionMs: DENY_RETENTION_MS,
    recheckRetentionMs: RECHECK_RETENTION_MS,
    max: INVALIDATIONS_MAX,
  });
  let gatewayCount = 0;
  const lease = maintainLease({
    clock,
    newId: () => `gw_${randomUUID()}`,
    async renew(gatewayId, joining) {
      if (joining) gatewayCount = 0;
      const request = { gatewayId, address: options.address, joining, sharing: gatewayCount };
      const response = await observeRenewal(() => options.keys.renewLease(request, { timeoutMs: RENEW_TIMEOUT_MS }));
      const { granted, durationMs } = response;
      // A response to a membership that was lost meanwhile does not concern this one.
      if (granted && lease.id() === gatewayId) gatewayCount = response.sharing;
      return granted ? { granted, durationMs } : { granted: false };
    },
    onLost() {
      countLoss();
      gatewayCount = 0;
      guard.clear();
      connections.closeAll();
    },
    renewEveryMs: RENEW_EVERY_MS,
    marginMs: LEASE_MARGIN_MS,
  });
  const guard = createCredentialGuard<AuthContext, Denial>({
    lease,
    log,
    lookUp: options.lookUp,
    subjectOf,
    denied: options.denied,
    nowMs,
    bounds: {
      hitsMax: options.credentialsMax,
      hitTtlMs: HIT_TTL_MS,
      negativesMax: NEGATIVES_MAX,
      negativeTtlMs: NEGATIVE_TTL_MS,
      rememberedMax: options.credentialsMax * REMEMBERED_PER_CACHED,
      seenGoodPendingMax: SEEN_GOOD_PENDING_MAX,
      otherPendingMax: OTHER_PENDING_MAX,
    },
    overloaded: () => new CairnError('unavailable', 'Too many concurrent lookups.'),
  });
  return {
    joined: lease.requested,
    admit: (digest, beginUnknown) => guard.admit(digest, beginUnknown),
    invalidate(invalidation) {
      // Without room to record it nothing that is cached may be used any more.
      if (!log.add(invalidation)) lease.lose();
      if (invalidation.closes) connections.closeInvalidated(invalidation.invalidated);
      return lease.memberships();
    },
    admitForMs: () => lease.remainingMs() || ADMITTED_UNLEASED_MS,
    gatewayCount: () => (lease.isLive() ? gatewayCount : 0),
    epoch: () => ({ leaseId: lease.id(), logVersion: log.version() }),
    register(auth, since, close) {
      const subject = subjectOf(auth);
      if (log.isDenied(subject) || log.isOutdated(subject, since.logVersion) || lease.id() !== since.leaseId) close();
      return connections.register(subject, close);
    },
    close: closeInReverse([lease, sampleLease(() => lease.remainingMs())]).close,
  };
}

/** The ids by which an invalidation can refer to the credential. */
function subjectOf({ credentialId, identity }: AuthContext) {
  const { keyId, tenantId, memoryId, spaceId } = identity;
  return { credentialId, keyId, tenantId, memoryId, spaceId };
}
