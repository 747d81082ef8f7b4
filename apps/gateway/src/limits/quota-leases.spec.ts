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
  type QuotaOutcome,
  type QuotaDraw,
} from './quota-leases.ts';
import { deadProcesses, openUsageJournal, readJournal, removeJournal, type UsageJournal } from './usage-journal.ts';

const TENANT = 'tnt_1';
const NOVEMBER = Date.UTC(2026, 10, 21);
const HOLD_ENDS_MS = 30_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-journal-'));
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

  draw(boot: string, sequence: number, draw: QuotaDraw, nowMs: number): QuotaGrant {
    const name = `${boot} ${draw.month}`;
    const mine = this.holds.get(name) ?? { held: 0, spent: 0, sequence: 0, untilMs: 0 };
    if (mine.sequence < sequence) {
      const free = Math.max(this.limit - this.held, 0);
      const spent = Math.max(mine.spent, Number(draw.spent));
      const held = Math.max(spent, Math.min(Number(draw.hold), mine.held + free));
      this.holds.set(name, { held, spent, sequence, untilMs: nowMs + HOLD_ENDS_MS });
    }
    const { held } = this.holds.get(name)!;
    const left = BigInt(Math.max(this.limit - this.held, 0));
    return {
      tenantId: TENANT,
      month: draw.month,
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
  private readonly journal: UsageJournal;
  private sequence = 0;

  constructor(world: World) {
    this.world = world;
    this.journal = openUsageJournal(folder, this.boot);
    this.quotas = createQuotaLeases({
      nowMs: () => world.nowMs,
      wallMs: () => world.wallMs(),
      journal: this.journal,
      onError: (error) => {
        throw error;
      },
    });
  }

  request(): void {
    const count = (taken: QuotaOutcome) => {
      if (taken === 'admitted') this.world.admitted += 1;
    };
    const taken = this.quotas.take(TENANT);
    if (taken === 'wait') this.quotas.wait(TENANT, count);
    else count(taken);
  }

  draw(fate: 'asked' | 'answered' | null): void {
    const draws = this.quotas.draws(100);
    if (draws.length === 0) return;
    this.sequence += 1;
    if (fate === 'asked') return this.quotas.failed(draws);
    const grants = draws.map((draw) => this.world.pool.draw(this.boot, this.sequence, draw, this.world.nowMs));
    if (fate === 'answered') this.quotas.failed(draws);
    else this.quotas.granted(draws, grants);
  }

  kill(): void {
    this.journal.close();
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

  /** What a started gateway does with the journal of those before it. */
  settle(): void {
    const live = new Set(this.gateways.map((gateway) => gateway.boot));
    for (const boot of deadProcesses(folder, 0).filter((each) => !live.has(each))) {
      const spent = Number(readJournal(folder, boot)[0]?.spent ?? 0n);
      if (this.pool.settle(boot, spent, this.nowMs)) removeJournal(folder, boot);
    }
  }

  tick(fateOf: () => 'asked' | 'answered' | null = () => null): void {
    this.nowMs += 100;
    for (const gateway of this.gateways) gateway.draw(fateOf());
  }

  end(): void {
    for (const gateway of this.gateways) gateway.kill();
    for (const boot of deadProcesses(folder, 0)) removeJournal(folder, boot);
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

  it('resets with the month, and says when', () => {
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

  it('refuses nobody who began to wait during a draw while the month has requests left', () => {
    const world = new World(1_000, 1);
    const { quotas } = world.gateways[0]!;
    const taken: QuotaOutcome[] = [];
    const request = () => {
      if (quotas.take(TENANT) === 'wait') quotas.wait(TENANT, (one) => taken.push(one));
    };
    request();
    const draws = quotas.draws(100);
    for (let n = 0; n < 60; n += 1) request();
    quotas.granted(
      draws,
      draws.map((draw) => world.pool.draw('slow', 1, draw, world.nowMs)),
    );
    const next = quotas.draws(100);
    quotas.granted(
      next,
      next.map((draw) => world.pool.draw('slow', 2, draw, world.nowMs)),
    );
    expect(taken).toHaveLength(61);
    expect(new Set(taken)).toEqual(new Set(['admitted']));
    world.end();
  });

  it('asks seldom for a tenant without a bound, and waits once', () => {
    let nowMs = 0;
    let waits = 0;
    let drawCount = 0;
    const quotas = createQuotaLeases({
      nowMs: () => nowMs,
      wallMs: () => NOVEMBER + nowMs,
      journal: null,
      onError: () => undefined,
    });
    for (; nowMs < 60_000; nowMs += 10) {
      if (quotas.take(TENANT) === 'wait') {
        waits += 1;
        quotas.wait(TENANT, () => undefined);
      }
      const draws = nowMs % 100 === 0 ? quotas.draws(10) : [];
      drawCount += draws.length;
      const grant = { tenantId: TENANT, month: '2026-11', held: 0n, limit: 0n, left: 0n, unlimited: true };
      if (draws.length > 0) quotas.granted(draws, [grant]);
    }
    expect(waits).toBeLessThan(12);
    expect(drawCount).toBeLessThan(20);
  });
});

describe('the usage journal', () => {
  it('is read as it was written last', () => {
    const boot = randomUUID();
    const journal = openUsageJournal(folder, boot);
    const [a, b] = [journal.slotFor('tnt_a', '2026-11'), journal.slotFor(`tnt_${'b'.repeat(30)}`, '2026-12')];
    for (let spent = 1; spent <= 300; spent += 1) journal.write(a, spent);
    journal.write(b, 7);
    journal.touch();
    expect(deadProcesses(folder, 30_000)).not.toContain(boot);
    // Not closed: a process that is killed closes nothing by itself.
    expect(deadProcesses(folder, 0)).toContain(boot);
    expect(readJournal(folder, boot)).toEqual([
      { tenantId: 'tnt_a', month: '2026-11', spent: 300n },
      { tenantId: `tnt_${'b'.repeat(30)}`, month: '2026-12', spent: 7n },
    ]);
    journal.close();
    journal.remove();
    expect(deadProcesses(folder, 0)).not.toContain(boot);
    expect(deadProcesses(join(folder, 'nowhere'), 0)).toEqual([]);
  });
});
