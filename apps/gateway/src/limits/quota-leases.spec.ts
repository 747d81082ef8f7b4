import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  createQuotaLeases,
  type QuotaLeases,
  type QuotaGrant,
  type QuotaTaken,
  type QuotaWish,
} from './quota-leases.ts';
import { bootsGone, openUsageJournal, readNotes, removeNotes, type UsageJournal } from './usage-journal.ts';

const TENANT = 'tnt_1';
const NOVEMBER = Date.UTC(2026, 10, 21);
const HOLD_ENDS_MS = 30_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-notes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What keys hold, as their SQL functions have it. */
class Pool {
  readonly limit: number;
  private readonly holds = new Map<string, { held: number; spent: number; sequence: number; untilMs: number }>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get held(): number {
    return [...this.holds.values()].reduce((sum, hold) => sum + hold.held, 0);
  }

  draw(boot: string, sequence: number, wish: QuotaWish, nowMs: number): QuotaGrant {
    const name = `${boot} ${wish.month}`;
    const mine = this.holds.get(name) ?? { held: 0, spent: 0, sequence: 0, untilMs: 0 };
    if (mine.sequence < sequence) {
      const free = Math.max(this.limit - this.held, 0);
      const spent = Math.max(mine.spent, Number(wish.spent));
      const held = Math.max(spent, Math.min(Number(wish.hold), mine.held + free));
      this.holds.set(name, { held, spent, sequence, untilMs: nowMs + HOLD_ENDS_MS });
    }
    const { held } = this.holds.get(name)!;
    const left = BigInt(Math.max(this.limit - this.held, 0));
    return {
      tenantId: TENANT,
      month: wish.month,
      held: BigInt(held),
      limit: BigInt(this.limit),
      left,
      unlimited: false,
    };
  }

  settle(boot: string, spent: number, nowMs: number): boolean {
    for (const [name, hold] of this.holds) {
      if (!name.startsWith(`${boot} `)) continue;
      if (hold.untilMs > nowMs) return false;
      hold.spent = Math.min(hold.held, Math.max(hold.spent, spent));
      hold.held = hold.spent;
    }
    return true;
  }
}

class Gateway {
  readonly boot: string = randomUUID();
  readonly quotas: QuotaLeases;
  private readonly world: World;
  private readonly notes: UsageJournal;
  private sequence = 0;

  constructor(world: World) {
    this.world = world;
    this.notes = openUsageJournal(folder, this.boot);
    this.quotas = createQuotaLeases({
      nowMs: () => world.nowMs,
      wallMs: () => world.wallMs(),
      notes: this.notes,
      onError: (error) => {
        throw error;
      },
    });
  }

  request(): void {
    const count = (taken: QuotaTaken) => {
      if (taken === 'admitted') this.world.admitted += 1;
    };
    const taken = this.quotas.take(TENANT);
    if (taken === 'wait') this.quotas.wait(TENANT, count);
    else count(taken);
  }

  draw(fate: 'asked' | 'answered' | null): void {
    const wishes = this.quotas.wishes(100);
    if (wishes.length === 0) return;
    this.sequence += 1;
    if (fate === 'asked') return this.quotas.failed(wishes);
    const grants = wishes.map((wish) => this.world.pool.draw(this.boot, this.sequence, wish, this.world.nowMs));
    if (fate === 'answered') this.quotas.failed(wishes);
    else this.quotas.granted(wishes, grants);
  }

  kill(): void {
    this.notes.close();
  }
}

class World {
  nowMs = 0;
  startMs = NOVEMBER;
  admitted = 0;
  readonly pool: Pool;
  gateways: Gateway[];

  constructor(limit: number, gateways: number) {
    this.pool = new Pool(limit);
    this.gateways = Array.from({ length: gateways }, () => new Gateway(this));
  }

  wallMs(): number {
    return this.startMs + this.nowMs;
  }

  /** What a started gateway does with the notes of those before it. */
  settle(): void {
    const live = new Set(this.gateways.map((gateway) => gateway.boot));
    for (const boot of bootsGone(folder, 0).filter((each) => !live.has(each))) {
      const spent = Number(readNotes(folder, boot)[0]?.spent ?? 0n);
      if (this.pool.settle(boot, spent, this.nowMs)) removeNotes(folder, boot);
    }
  }

  tick(fateOf: () => 'asked' | 'answered' | null = () => null): void {
    this.nowMs += 100;
    for (const gateway of this.gateways) gateway.draw(fateOf());
  }

  end(): void {
    for (const gateway of this.gateways) gateway.kill();
    for (const boot of bootsGone(folder, 0)) removeNotes(folder, boot);
  }
}

const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('requests' as const), gateway: fc.nat(2), count: fc.nat(60) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('ticks' as const), count: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), gateway: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), ms: fc.integer({ min: 0, max: 90_000 }) }) },
);
const fate = fc.constantFrom(null, null, null, 'asked' as const, 'answered' as const);

describe('a monthly quota that gateways share', () => {
  it('is never exceeded, and used up to the last request: draws lost, gateways killed and started again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_500 }),
        fc.array(event, { maxLength: 60 }),
        fc.infiniteStream(fate),
        (limit, events, fates) => {
          const world = new World(limit, 3);
          for (const one of events) {
            if (one.kind === 'requests') for (let n = 0; n < one.count; n += 1) world.gateways[one.gateway]!.request();
            else if (one.kind === 'ticks') for (let n = 0; n < one.count; n += 1) world.tick(() => fates.next().value!);
            else if (one.kind === 'pause') world.nowMs += one.ms;
            else {
              world.gateways[one.gateway]!.kill();
              world.gateways[one.gateway] = new Gateway(world);
            }
            world.settle();
            expect(world.admitted).toBeLessThanOrEqual(limit);
            expect(world.pool.held).toBeLessThanOrEqual(limit);
          }
          // Everybody but the first is silent from here on; what they hold comes back.
          for (let second = 0; second < 150; second += 1) {
            for (let n = 0; n < 10; n += 1) {
              for (let requests = 0; requests < 5; requests += 1) world.gateways[0]!.request();
              world.tick();
            }
            world.settle();
          }
          world.end();
          expect(world.admitted).toBe(limit);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('begins anew with the month, and says when', () => {
    const world = new World(5, 1);
    world.startMs = Date.UTC(2026, 10, 30, 23, 59, 50);
    const [gateway] = world.gateways;
    const use = (requests: number) => {
      for (let n = 0; n < requests; n += 1) gateway!.request();
      world.tick();
    };
    use(8);
    expect(world.admitted).toBe(5);
    expect(gateway!.quotas.resetsAt().toISOString()).toBe('2026-12-01T00:00:00.000Z');
    world.nowMs += 10_000;
    // The pool of the model has no months; what was held of the old one is given back to nobody.
    use(1);
    expect(gateway!.quotas.resetsAt().toISOString()).toBe('2027-01-01T00:00:00.000Z');
    world.end();
  });

  it('stops without keys when what it holds is spent or may have ended', () => {
    const world = new World(1_000, 1);
    const [gateway] = world.gateways;
    gateway!.request();
    world.tick();
    for (let n = 0; n < 100; n += 1) gateway!.request();
    const held = world.admitted;
    expect(held).toBeGreaterThan(1);
    expect(held).toBeLessThan(101);
    for (let n = 0; n < 10; n += 1) world.tick(() => 'asked');
    gateway!.request();
    expect(gateway!.quotas.take(TENANT)).toBe('unavailable');
    expect(world.admitted).toBe(held);
    world.end();
  });

  it('asks seldom for a tenant without a bound, and waits once', () => {
    let nowMs = 0;
    let waits = 0;
    let draws = 0;
    const quotas = createQuotaLeases({
      nowMs: () => nowMs,
      wallMs: () => NOVEMBER + nowMs,
      notes: null,
      onError: () => undefined,
    });
    for (; nowMs < 60_000; nowMs += 10) {
      if (quotas.take(TENANT) === 'wait') {
        waits += 1;
        quotas.wait(TENANT, () => undefined);
      }
      const wishes = nowMs % 100 === 0 ? quotas.wishes(10) : [];
      draws += wishes.length;
      const grant = { tenantId: TENANT, month: '2026-11', held: 0n, limit: 0n, left: 0n, unlimited: true };
      if (wishes.length > 0) quotas.granted(wishes, [grant]);
    }
    expect(waits).toBeLessThan(12);
    expect(draws).toBeLessThan(20);
  });
});

describe('notes of what was spent', () => {
  it('are read as they were written last', () => {
    const boot = randomUUID();
    const notes = openUsageJournal(folder, boot);
    const [a, b] = [notes.slotFor('tnt_a', '2026-11'), notes.slotFor(`tnt_${'b'.repeat(30)}`, '2026-12')];
    for (let spent = 1; spent <= 300; spent += 1) notes.write(a, spent);
    notes.write(b, 7);
    notes.touch();
    expect(bootsGone(folder, 30_000)).not.toContain(boot);
    // Not closed: a process that is killed closes nothing by itself.
    expect(bootsGone(folder, 0)).toContain(boot);
    expect(readNotes(folder, boot)).toEqual([
      { tenantId: 'tnt_a', month: '2026-11', spent: 300n },
      { tenantId: `tnt_${'b'.repeat(30)}`, month: '2026-12', spent: 7n },
    ]);
    notes.close();
    notes.remove();
    expect(bootsGone(folder, 0)).not.toContain(boot);
    expect(bootsGone(join(folder, 'nowhere'), 0)).toEqual([]);
  });
});
