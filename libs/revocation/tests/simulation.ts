import {
  type CredentialSubject,
  createCoordinator,
  createCredentialGuard,
  createInvalidationLog,
  type CredentialGuard,
  type GatewayLease,
  maintainLease,
  type Lease,
  type LeaseTable,
  type InvalidationLog,
  type Invalidation,
} from '../src/index.ts';
import { VirtualProcess, VirtualWorld } from './virtual-world.ts';

/** Calls of a gateway to keys and back, and what keys says of itself. */
type Way = 'to keys' | 'from keys' | 'push';

/** What happens at a time, in milliseconds from the beginning. */
export type Happening =
  | { kind: 'join'; atMs: number; gateway: number }
  | { kind: 'leave'; atMs: number; gateway: number }
  | { kind: 'stop'; atMs: number; gateway: number; forMs: number; freezes: boolean }
  | { kind: 'cut'; atMs: number; gateway: number; forMs: number; way: Way | 'all' }
  | { kind: 'request'; atMs: number; gateway: number; key: number }
  | { kind: 'revoke'; atMs: number; key: number; crashesAfterMs: number | null }
  | { kind: 'restrict'; atMs: number; key: number };

export interface Schedule {
  happenings: Happening[];
  /** One for each message, in order, over and over: how long it takes, or that it is lost. */
  delaysMs: (number | 'lost')[];
  /** How fast each gateway's clock goes. */
  rates: number[];
}

/** Guards that can be taken out, to see that each is needed. */
export const GUARDS = [
  'lease first',
  'log version',
  'deny-set',
  'first barrier',
  'second barrier',
  'fence of the lease',
  'fence of the token',
  'join with an empty cache',
] as const;
type Guard = (typeof GUARDS)[number];

const LEASE_MS = 30_000;
const MARGIN_MS = 2_000;
const RENEW_MS = 5_000;
const CALL_TIMEOUT_MS = 2_000;
const TOKEN_MS = 15_000;
const DENY_RETENTION_MS = 600_000;
/** Past the last happening: long enough for what was begun to be answered, and taken up again. */
const AFTER_MS = 280_000;
/** Both barriers may have to outlive a lease that was renewed once more while it was asked about. */
const ANSWER_WITHIN_MS = 135_000;
const RECONCILE_AFTER_MS = 140_000;

interface Key {
  revoked: boolean;
  level: number;
  /** First bytes sent after these are refused, or get no more than the level. */
  revokeAnsweredMs: number;
  levelAnswered: { atMs: number; level: number }[];
}

interface Hit {
  key: number;
  level: number;
}

interface Gateway {
  process: VirtualProcess;
  lease: GatewayLease;
  guard: CredentialGuard<Hit, 'revoked'>;
  log: InvalidationLog;
}

const subjectOf = ({ key }: Hit): CredentialSubject => ({
  credentialId: `key_${key}`,
  keyId: `key_${key}`,
  tenantId: 'tnt_1',
  memoryId: null,
  spaceId: null,
});

/** Runs one schedule through the shipped modules; returns what was broken, which is nothing as long as all guards are in place. */
export async function simulate(schedule: Schedule, without: ReadonlySet<Guard> = new Set()): Promise<string[]> {
  return new Simulation(schedule, without).run();
}

class Simulation {
  private readonly world = new VirtualWorld();
  private readonly broken: string[] = [];
  private readonly gateways = new Map<number, Gateway>();
  private readonly keys = new Map<number, Key>();
  private readonly leases = new Map<string, { gateway: number; untilMs: number; fenced: boolean }>();
  private readonly cuts = new Map<string, number>();
  private messages = 0;
  private ids = 0;
  private endMs = 0;
  private readonly schedule: Schedule;
  private readonly without: ReadonlySet<Guard>;

  constructor(schedule: Schedule, without: ReadonlySet<Guard>) {
    this.schedule = schedule;
    this.without = without;
  }

  async run(): Promise<string[]> {
    this.endMs = Math.max(...this.schedule.happenings.map(({ atMs }) => atMs)) + AFTER_MS;
    for (const happening of this.schedule.happenings) this.world.at(happening.atMs, () => this.happen(happening));
    await this.world.runUntil(this.endMs);
    for (const gateway of this.gateways.values()) gateway.process.dead = true;
    return this.broken;
  }

  private happen(happening: Happening): void {
    switch (happening.kind) {
      case 'join':
        return this.join(happening.gateway);
      case 'leave': {
        const gateway = this.gateways.get(happening.gateway);
        if (gateway !== undefined) gateway.process.dead = true;
        this.gateways.delete(happening.gateway);
        return;
      }
      case 'stop':
        return this.gateways.get(happening.gateway)?.process.stop(happening.forMs, happening.freezes);
      case 'cut':
        for (const way of happening.way === 'all' ? ['from keys', 'to keys', 'push'] : [happening.way])
          this.cuts.set(`${happening.gateway} ${way}`, this.world.nowMs + happening.forMs);
        return;
      case 'request':
        return void this.request(happening.gateway, happening.key);
      case 'revoke':
        return this.revoke(happening.key, happening.crashesAfterMs);
      case 'restrict':
        return this.restrict(happening.key);
    }
  }

  private keyOf(number: number): Key {
    const known = this.keys.get(number) ?? {
      revoked: false,
      level: 100,
      revokeAnsweredMs: Infinity,
      levelAnswered: [],
    };
    this.keys.set(number, known);
    return known;
  }

  /** One message on its way; rejects when it is lost. */
  private async message(gateway: number | null, way: Way): Promise<void> {
    const { delaysMs } = this.schedule;
    const delay = delaysMs[this.messages++ % delaysMs.length] ?? 1;
    const cut = gateway !== null && (this.cuts.get(`${gateway} ${way}`) ?? 0) > this.world.nowMs;
    if (cut || (gateway !== null && delay === 'lost')) {
      await this.world.after(CALL_TIMEOUT_MS);
      throw new Error('lost');
    }
    await this.world.after(delay === 'lost' ? 1 : delay);
  }

  private join(number: number): void {
    if (this.gateways.has(number)) return;
    const process = new VirtualProcess(this.world, this.schedule.rates[number % this.schedule.rates.length]);
    const shipped = createInvalidationLog({
      nowMs: () => process.clock.monotonicMs(),
      denyRetentionMs: DENY_RETENTION_MS,
      recheckRetentionMs: DENY_RETENTION_MS,
      max: 1_000,
    });
    const log: InvalidationLog = {
      ...shipped,
      ...(this.without.has('log version') ? { isOutdated: () => false } : {}),
      ...(this.without.has('deny-set') ? { isDenied: () => false } : {}),
    };
    const lease = maintainLease({
      clock: process.clock,
      newId: () => `gw_${number}_${this.ids++}`,
      renew: (id, joining) => process.receive(this.renew(number, id, joining)),
      onLost: () => {
        if (!this.without.has('join with an empty cache')) guard.clear();
      },
      renewEveryMs: RENEW_MS,
      marginMs: MARGIN_MS,
    });
    const guard = createCredentialGuard<Hit, 'revoked'>({
      lease,
      log,
      lookUp: (digest) => process.receive(this.resolve(number, Number(digest))),
      subjectOf,
      denied: 'revoked',
      nowMs: () => process.clock.monotonicMs(),
      bounds: {
        hitsMax: 100,
        hitTtlMs: 300_000,
        negativesMax: 100,
        negativeTtlMs: 1,
        rememberedMax: 100,
        seenGoodPendingMax: 1_000,
        otherPendingMax: 1_000,
      },
      overloaded: () => new Error('overloaded'),
    });
    this.gateways.set(number, { process, lease, guard, log });
  }

  private async renew(gateway: number, id: string, joining: boolean) {
    await this.message(gateway, 'to keys');
    const write = () => {
      const known = this.leases.get(id);
      if (joining && known === undefined)
        this.leases.set(id, { gateway, untilMs: this.world.nowMs + LEASE_MS, fenced: false });
      else if (known === undefined || known.fenced || known.untilMs <= this.world.nowMs) return false;
      else known.untilMs = this.world.nowMs + LEASE_MS;
      return true;
    };
    if (this.without.has('lease first')) {
      this.world.at(this.world.nowMs + 1_000, write);
      await this.message(gateway, 'from keys');
      return { granted: true as const, durationMs: LEASE_MS };
    }
    const granted = write();
    await this.message(gateway, 'from keys');
    return granted ? { granted: true as const, durationMs: LEASE_MS } : { granted: false as const };
  }

  private async resolve(gateway: number, number: number) {
    await this.message(gateway, 'to keys');
    const { revoked, level } = this.keyOf(number);
    await this.message(gateway, 'from keys');
    if (revoked) return { ok: false as const, denial: 'revoked' as const };
    return { ok: true as const, hit: { key: number, level } };
  }

  /** A client's request, from its first byte to the service behind the gateway, which looks at the token's end. */
  private async request(number: number, key: number): Promise<void> {
    const gateway = this.gateways.get(number);
    if (gateway === undefined) return;
    const firstByteMs = this.world.nowMs;
    await gateway.process.receive(Promise.resolve());
    const response = await gateway.guard.admit(String(key)).catch(() => null);
    if (response?.ok !== true) return;
    const left = gateway.lease.remainingMs();
    const tokenEndsMs = gateway.process.clock.wallMs() + (left > 0 ? Math.min(TOKEN_MS, left) : CALL_TIMEOUT_MS);
    if (tokenEndsMs < this.world.nowMs && !this.without.has('fence of the token')) return;
    const state = this.keyOf(key);
    if (firstByteMs > state.revokeAnsweredMs)
      this.broken.push(`key ${key} admitted at ${firstByteMs}, revoked at ${state.revokeAnsweredMs}`);
    for (const { atMs, level } of state.levelAnswered)
      if (firstByteMs > atMs && response.hit.level > level)
        this.broken.push(`key ${key} admitted at ${firstByteMs} with ${response.hit.level}, restricted at ${atMs}`);
  }

  private leaseTable(coordinator: VirtualProcess): LeaseTable {
    let reads = 0;
    const table: LeaseTable = {
      live: async () => {
        await this.message(null, 'to keys');
        reads += 1;
        if (reads === 1 && this.without.has('first barrier')) return [];
        if (reads > 1 && this.without.has('second barrier')) return [];
        return [...this.leases]
          .filter(([, lease]) => lease.untilMs > this.world.nowMs)
          .map(([gatewayId, lease]): Lease => ({
            gatewayId,
            address: String(lease.gateway),
            remainingMs: lease.untilMs - this.world.nowMs,
          }));
      },
      fence: async (gatewayId) => {
        await this.message(null, 'to keys');
        const lease = this.leases.get(gatewayId);
        if (lease !== undefined && !this.without.has('fence of the lease')) lease.fenced = true;
      },
    };
    return {
      live: () => coordinator.receive(table.live()),
      fence: (gatewayId) => coordinator.receive(table.fence(gatewayId)),
    };
  }

  private async push(lease: Lease, invalidation: Invalidation): Promise<{ memberships: readonly string[] }> {
    const number = Number(lease.address);
    await this.message(number, 'push');
    const gateway = this.gateways.get(number);
    if (gateway === undefined) throw new Error('refused');
    const taken = gateway.process.receive(Promise.resolve()).then(() => {
      if (!gateway.log.add(invalidation)) gateway.lease.lose();
      return gateway.lease.memberships();
    });
    const memberships = await Promise.race([
      taken,
      this.world.after(CALL_TIMEOUT_MS).then(() => {
        throw new Error('late');
      }),
    ]);
    await this.message(number, 'push');
    return { memberships };
  }

  private coordinate(invalidation: Invalidation, commit: () => void, answered: () => void): VirtualProcess {
    const process = new VirtualProcess(this.world);
    const begunMs = this.world.nowMs;
    const before = new Set(this.leases.keys());
    const invalidate = createCoordinator({
      clock: process.clock,
      leases: this.leaseTable(process),
      push: (lease, told) => process.receive(this.push(lease, told)),
      retryMs: 200,
    });
    const committing = async () => {
      await process.receive(this.message(null, 'to keys'));
      this.assertGatewaysKnow(invalidation, before);
      commit();
    };
    invalidate(invalidation, committing).then(answered, () => undefined);
    this.world.at(begunMs + ANSWER_WITHIN_MS, () => {
      if (!process.dead && !finished.has(process)) this.broken.push(`no response within ${ANSWER_WITHIN_MS} ms`);
    });
    return process;
  }

  /** A denial is known to every gateway that had a lease when it began before the database knows of it. */
  private assertGatewaysKnow(invalidation: Invalidation, before: ReadonlySet<string>): void {
    if (invalidation.effect !== 'deny' || invalidation.invalidated.what !== 'credentials') return;
    const subject = subjectOf({ key: Number(invalidation.invalidated.ids[0]!.slice(4)), level: 0 });
    for (const gateway of this.gateways.values()) {
      const lease = this.leases.get(gateway.lease.id());
      const counts = before.has(gateway.lease.id()) && lease !== undefined && lease.untilMs > this.world.nowMs;
      if (counts && !this.without.has('deny-set') && !gateway.log.isDenied(subject))
        this.broken.push(`the database knows before ${gateway.lease.id()}`);
    }
  }

  private revoke(number: number, crashesAfterMs: number | null): void {
    const key = this.keyOf(number);
    const invalidation: Invalidation = {
      invalidated: { what: 'credentials', ids: [`key_${number}`] },
      effect: 'deny',
      closes: true,
    };
    const process = this.coordinate(
      invalidation,
      () => {
        key.revoked = true;
      },
      () => {
        finished.add(process);
        key.revokeAnsweredMs = Math.min(key.revokeAnsweredMs, this.world.nowMs);
      },
    );
    if (crashesAfterMs === null) return;
    this.world.at(this.world.nowMs + crashesAfterMs, () => {
      process.dead = true;
    });
    // What was begun and not finished is taken up by another replica.
    if (this.world.nowMs + RECONCILE_AFTER_MS + ANSWER_WITHIN_MS < this.endMs)
      this.world.at(this.world.nowMs + RECONCILE_AFTER_MS, () => {
        if (!finished.has(process)) this.revoke(number, null);
      });
  }

  private restrict(number: number): void {
    const key = this.keyOf(number);
    let level = 0;
    const invalidation: Invalidation = {
      invalidated: { what: 'credentials', ids: [`key_${number}`] },
      effect: 'recheck',
      closes: true,
    };
    const process = this.coordinate(
      invalidation,
      () => {
        key.level -= 1;
        level = key.level;
      },
      () => {
        finished.add(process);
        key.levelAnswered.push({ atMs: this.world.nowMs, level });
      },
    );
  }
}

const finished = new WeakSet<VirtualProcess>();
