import { expect, it } from '@jest/globals';
import { startCairn } from '@cairn/testing';
import { ATTACKED_ENV, runPhases } from '../bench/installation/hostile-tenant/run-phases.ts';
import { judge } from '../bench/installation/hostile-tenant/report.ts';

// For ten minutes, and how much slower the polite tenant gets: `npm run chaos -- hostile-tenant`.
it('a tenant that attacks in every known way fails no request of another one and ends no process', async () => {
  const cairn = await startCairn({ args: [], env: ATTACKED_ENV });
  try {
    const played = await runPhases(cairn, { seed: 1, settlingMs: 2_000, quietMs: 3_000, besideMs: 20_000 });
    const { failures, hostileFailures } = judge(played);
    expect(failures).toEqual([]);
    expect(hostileFailures).toBe(0);
    expect(played.ended).toEqual([]);
    expect(played.beside.length).toBeGreaterThan(150);
    const tried = Object.entries(played.attack.outcomes).filter(([, outcomes]) => Object.keys(outcomes).length > 0);
    expect(tried.length).toBeGreaterThanOrEqual(10);
  } finally {
    await cairn.remove();
  }
}, 180_000);
