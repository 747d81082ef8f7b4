import { describe, expect, it } from '@jest/globals';
import { allocate, type Candidate, type OpenBudget } from './allocate.ts';
import { newBudget } from './budget.ts';
import { type BudgetKey, budgetKeysOf } from './budget-keys.ts';
import type { BudgetLimits } from './limits.ts';

const LIMITS: BudgetLimits = {
  hostStartPerSecond: 10,
  hostPerSecondMax: 100,
  hostInFlightMax: 50,
  tenantPerSecondMax: 40,
  tenantInFlightMax: 30,
  testPerSecondMax: 12,
  testInFlightMax: 50,
};

function candidate(
  webhookId: string,
  tenantId: string,
  address: string,
  { accepts = true, isSlow = false, ...more }: Partial<Candidate> & { accepts?: boolean } = {},
): Candidate {
  const destination = { tenantId, livemode: true, host: address, addresses: [address] };
  const budgets = budgetKeysOf(destination, { accepts, isSlow }, LIMITS);
  return { webhookId, tenantId, slots: 16, isSlow, lastServed: 0, tenantLastServed: 0, budgets, ...more };
}

function openFor(candidates: readonly Candidate[]): Map<string, OpenBudget> {
  const keys = new Map<string, BudgetKey>(candidates.flatMap(({ budgets }) => budgets.map((key) => [key.key, key])));
  return new Map(
    [...keys].map(([name, key]) => [
      name,
      { key, budget: newBudget(name, key.policy, 0), inFlightLeft: key.policy.inFlightMax },
    ]),
  );
}

const sum = (slotsByWebhook: ReadonlyMap<string, number>) =>
  [...slotsByWebhook.values()].reduce((total, slots) => total + slots, 0);
const PLENTY = { capacity: 512, slowCapacity: 256, slowCapacityOf: () => 256 };

describe('what budgets allow', () => {
  it('of endpoints that accept nothing is shared by the tenants of the target in turns', () => {
    const accepts = false;
    const many = Array.from({ length: 30 }, (_value, n) => candidate(`a${n}`, 'tnt_a', '192.0.2.1', { accepts }));
    const others = ['b', 'c'].map((name) => candidate(name, `tnt_${name}`, '192.0.2.1', { accepts }));
    const candidates = [...many, ...others];
    const { slotsByWebhook, waitMsByWebhook } = allocate(candidates, openFor(candidates), PLENTY);
    // Half of the slots of the host for one tenant; nobody else gets less because one has many webhooks.
    expect(sum(slotsByWebhook)).toBe(50);
    expect(slotsByWebhook.get('b')).toBe(16);
    expect(slotsByWebhook.get('c')).toBe(16);
    expect(waitMsByWebhook.get('a0')).toBeGreaterThan(0);
  });

  it('of endpoints that accept nothing is not taken from those of the same tenant and host that accept', () => {
    const dead = Array.from({ length: 30 }, (_value, n) =>
      candidate(`d${n}`, 'tnt_a', '192.0.2.1', { accepts: false }),
    );
    const healthy = candidate('h', 'tnt_a', '192.0.2.1', { slots: 10 });
    const open = openFor([...dead, healthy]);
    for (const { key } of dead[0]!.budgets) if (key.includes('unproven')) open.get(key)!.budget.tokens = 0;
    const { slotsByWebhook } = allocate([...dead, healthy], open, PLENTY);
    expect([...slotsByWebhook]).toEqual([['h', 10]]);
  });

  it('to slow endpoints ends while half of the slots are free, so that others need not wait for them', () => {
    const slow = Array.from({ length: 10 }, (_value, n) =>
      candidate(`s${n}`, 'tnt_a', '192.0.2.1', { isSlow: true, accepts: false }),
    );
    const fast = candidate('f', 'tnt_a', '192.0.2.1', { slots: 5, lastServed: 9 });
    const candidates = [...slow, fast];
    const { slotsByWebhook } = allocate(candidates, openFor(candidates), PLENTY);
    expect(slotsByWebhook.get('f')).toBe(5);
    // Of the 25 slots that one tenant has at the host.
    expect(sum(slotsByWebhook) - 5).toBeLessThanOrEqual(13);
  });

  it('to slow endpoints is not taken by others, as long as not all slots are', () => {
    const unknown = candidate('u', 'tnt_a', '192.0.2.1', { isSlow: true, accepts: false, slots: 4 });
    const open = openFor([unknown]);
    // Three quarters of the tenant's slots are in use by endpoints that answer at once.
    open.get('tenant:tnt_a')!.inFlightLeft = Math.floor(LIMITS.tenantInFlightMax / 4);
    expect([...allocate([unknown], open, PLENTY).slotsByWebhook]).toEqual([['u', 4]]);
  });

  it('of one tenant ends at the tenant, and leaves others what they have', () => {
    const many = Array.from({ length: 10 }, (_value, n) => candidate(`a${n}`, 'tnt_a', `192.0.2.${n}`));
    const candidates = [...many, candidate('b', 'tnt_b', '198.51.100.1')];
    const { slotsByWebhook } = allocate(candidates, openFor(candidates), PLENTY);
    // As many in flight as one tenant may have, which is less than its rate.
    expect(sum(slotsByWebhook) - slotsByWebhook.get('b')!).toBe(LIMITS.tenantInFlightMax);
    expect(slotsByWebhook.get('b')).toBe(10);
  });

  it('goes first to whoever was served least recently', () => {
    const late = candidate('a', 'tnt_a', '192.0.2.1', { tenantLastServed: 5 });
    const early = candidate('b', 'tnt_b', '192.0.2.1', { tenantLastServed: 2 });
    const { slotsByWebhook } = allocate([late, early], openFor([late, early]), { ...PLENTY, capacity: 1 });
    expect([...slotsByWebhook]).toEqual([['b', 1]]);
  });

  it('is taken from every budget of a delivery, and the capacity for slow endpoints ends before that of others', () => {
    const slow = Array.from({ length: 4 }, (_value, n) =>
      candidate(`s${n}`, 'tnt_a', `192.0.2.${n}`, { isSlow: true }),
    );
    const fast = candidate('f', 'tnt_a', '198.51.100.1', { slots: 3 });
    const candidates = [...slow, fast];
    const open = openFor(candidates);
    const { slotsByWebhook } = allocate(candidates, open, { ...PLENTY, capacity: 10, slowCapacity: 2 });
    expect(slow.reduce((total, { webhookId }) => total + (slotsByWebhook.get(webhookId) ?? 0), 0)).toBe(2);
    expect(slotsByWebhook.get('f')).toBe(3);
    expect(fast.budgets.slice(1).map(({ key }) => open.get(key)!.inFlightLeft)).toEqual([50 - 3, 25 - 3]);
    expect(open.get('tenant:tnt_a')!.inFlightLeft).toBe(30 - 5);
  });
});

describe('the budgets of a delivery', () => {
  const keysOf = (host: string, addresses: string[], { livemode = true, accepts = true, isSlow = false } = {}) =>
    budgetKeysOf({ tenantId: 'tnt_a', livemode, host, addresses }, { accepts, isSlow }, LIMITS).map(({ key }) => key);

  it('are those of its tenant, its host by name and by every address, and of the test environment', () => {
    expect(new Set(keysOf('hooks.example', ['192.0.2.1', '2001:db8:1:2:3::4'], { livemode: false }))).toEqual(
      new Set([
        'tenant:tnt_a',
        'test',
        'host:hooks.example',
        'tenant:tnt_a host:hooks.example',
        'address:192.0.2.1',
        'tenant:tnt_a address:192.0.2.1',
        'address:2001:db8:1:2::/64',
        'tenant:tnt_a address:2001:db8:1:2::/64',
      ]),
    );
  });

  it('are others of an endpoint that accepts nothing, but for those of its tenant and of the target itself', () => {
    expect(new Set(keysOf('192.0.2.1', ['192.0.2.1'], { accepts: false }))).toEqual(
      new Set([
        'tenant:tnt_a',
        'address:192.0.2.1',
        'unproven address:192.0.2.1',
        'tenant:tnt_a unproven address:192.0.2.1',
      ]),
    );
  });

  it('are further ones of a slow endpoint: half of the slots of each that it shares', () => {
    const slow = { accepts: true, isSlow: true };
    const destination = { tenantId: 'tnt_a', livemode: true, host: '192.0.2.1', addresses: ['192.0.2.1'] };
    const more = budgetKeysOf(destination, slow, LIMITS).filter(({ key }) => key.endsWith(' slow'));
    expect(Object.fromEntries(more.map(({ key, policy }) => [key, policy.inFlightMax]))).toEqual({
      'tenant:tnt_a slow': 15,
      'address:192.0.2.1 slow': 25,
      'tenant:tnt_a address:192.0.2.1 slow': 13,
    });
  });

  it('are the same for an address however it is written, and for all of one IPv6 network', () => {
    expect(keysOf('2001:db8::1', ['2001:db8::1'])).toEqual(keysOf('2001:db8::ffff', ['2001:db8::ffff']));
    expect(keysOf('192.0.2.1', ['::ffff:192.0.2.1'])).toEqual(keysOf('192.0.2.1', ['192.0.2.1']));
  });
});
