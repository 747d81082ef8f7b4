import { randomUUID } from 'node:crypto';
import type { Denial, KeysService } from '@cairn/contracts';
import {
  type BeginStrangerLookup,
  type Clock,
  createCredentialGuard,
  createNarrowingsSeen,
  holdLease,
  type Narrowing,
  type Resolved,
  SYSTEM_CLOCK,
} from '@cairn/revocation';
import { CairnError } from '@cairn/errors';
import type { RpcClient, Running } from '@cairn/service-kit';
import type { Verdict } from '../verdict.ts';
import { createRunningWork } from './running-work.ts';

const RENEW_EVERY_MS = 5_000;
const RENEW_TIMEOUT_MS = 2_000;
const LEASE_MARGIN_MS = 2_000;
/** Against a narrowing that takes two leases at most. */
const DENY_KEPT_MS = 600_000;
const RECHECK_KEPT_MS = 60_000;
const NARROWINGS_MAX = 500_000;
const FOUND_KEPT_MS = 30_000;
/** Shorter: a key that could not be used may become usable, and nobody waits half a minute for that. */
const REFUSED_KEPT_MS = 5_000;
const REFUSED_MAX = 10_000;
/** Twice the cache: a credential that fell out of it is still no stranger. */
const REMEMBERED_PER_CACHED = 2;
const SEEN_GOOD_PENDING_MAX = 1_000;
const OTHER_PENDING_MAX = 1_000;
/** A request that was admitted without a lease is passed on within this time, or not at all. */
const ADMITTED_UNLEASED_MS = 5_000;

export interface MembershipOptions {
  keys: Pick<RpcClient<typeof KeysService>, 'renewLease'>;
  /** Asks keys for a credential by its digest, past every cache. */
  resolve: (digest: string, seenGood: boolean) => Promise<Resolved<Verdict, Denial>>;
  /** The refusal of what was denied. */
  denied: Denial;
  /** host:port where keys reaches this gateway and no other. */
  address: string;
  credentialsMax: number;
  clock?: Clock;
}

/** This gateway as a member of those that keys tells what is narrowed; see docs/revocation.md. */
export interface Membership extends Running {
  /** Settles when this gateway has its first lease, or keys could not be asked for it. */
  joined: Promise<void>;
  admit(digest: string, beginStranger?: BeginStrangerLookup): Promise<Resolved<Verdict, Denial>>;
  /** Goes by a narrowing from now on; gives the memberships of this process, the latest first. */
  narrow(narrowing: Narrowing): readonly string[];
  /** How long an identity may be good that is handed out now, in milliseconds. */
  admitForMs(): number;
  /** Among how many gateways it divides what each may admit without asking; 0 while it has no part of it. */
  sharing(): number;
  /** Where things stand; taken before a credential is admitted whose work is tracked later. */
  moment(): Moment;
  /**
   * Remembers what runs on a credential that was admitted since the moment, so that it ends with it; at once, when it
   * was narrowed or the lease lost meanwhile. Call what is returned when it has ended by itself.
   */
  track(verdict: Verdict, since: Moment, end: () => void): () => void;
}

export interface Moment {
  leaseId: string;
  position: number;
}

export function startMembership(options: MembershipOptions): Membership {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const running = createRunningWork();
  const nowMs = () => clock.monotonicMs();
  const seen = createNarrowingsSeen({
    nowMs,
    denyKeptMs: DENY_KEPT_MS,
    recheckKeptMs: RECHECK_KEPT_MS,
    max: NARROWINGS_MAX,
  });
  let sharing = 0;
  const lease = holdLease({
    clock,
    newId: () => `gw_${randomUUID()}`,
    async ask(gatewayId, joining) {
      if (joining) sharing = 0;
      const request = { gatewayId, address: options.address, joining, sharing };
      const answer = await options.keys.renewLease(request, { timeoutMs: RENEW_TIMEOUT_MS });
      const { granted, durationMs } = answer;
      // What was said to a membership that was lost on the way is not said to this one.
      if (granted && lease.id() === gatewayId) ({ sharing } = answer);
      return granted ? { granted, durationMs } : { granted: false };
    },
    onLost() {
      sharing = 0;
      guard.forget();
      running.endAll();
    },
    renewEveryMs: RENEW_EVERY_MS,
    marginMs: LEASE_MARGIN_MS,
  });
  const guard = createCredentialGuard<Verdict, Denial>({
    lease,
    seen,
    resolve: options.resolve,
    bearerOf: (verdict) => bearerOf(verdict),
    denied: options.denied,
    nowMs,
    bounds: {
      foundMax: options.credentialsMax,
      foundKeptMs: FOUND_KEPT_MS,
      refusedMax: REFUSED_MAX,
      refusedKeptMs: REFUSED_KEPT_MS,
      rememberedMax: options.credentialsMax * REMEMBERED_PER_CACHED,
      seenGoodPendingMax: SEEN_GOOD_PENDING_MAX,
      otherPendingMax: OTHER_PENDING_MAX,
    },
    overloaded: () => new CairnError('unavailable', 'Too many concurrent lookups.'),
  });
  return {
    joined: lease.asked,
    admit: (digest, beginStranger) => guard.admit(digest, beginStranger),
    narrow(narrowing) {
      // Without room to remember it nothing that is known may be used any more.
      if (!seen.add(narrowing)) lease.lose();
      if (narrowing.closes) running.endNarrowed(narrowing.narrowed);
      return lease.memberships();
    },
    admitForMs: () => lease.remainingMs() || ADMITTED_UNLEASED_MS,
    sharing: () => (lease.isLive() ? sharing : 0),
    moment: () => ({ leaseId: lease.id(), position: seen.position() }),
    track(verdict, since, end) {
      const bearer = bearerOf(verdict);
      if (seen.isDenied(bearer) || seen.isOutdated(bearer, since.position) || lease.id() !== since.leaseId) end();
      return running.track(bearer, end);
    },
    close: () => lease.close(),
  };
}

/** Whom a verdict stands for, as far as narrowing goes. */
export function bearerOf({ credentialId, identity }: Verdict) {
  const { keyId, tenantId, memoryId, spaceId } = identity;
  return { credentialId, keyId, tenantId, memoryId, spaceId };
}
