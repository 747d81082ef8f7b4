import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variables } from '../config.ts';
import { planOf, readPlans } from './plans.ts';

const SHIPPED = variables.plansFile.schema.parse(undefined);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-plans-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface CatalogFile {
  start: string;
  plans: Record<string, Record<string, unknown> & { limits: Record<string, unknown> }>;
}

/** Reads the shipped plans after a change. */
async function readChanged(change: (catalog: CatalogFile) => void): Promise<unknown> {
  const catalog = JSON.parse(await readFile(SHIPPED, 'utf8')) as CatalogFile;
  change(catalog);
  const file = join(folder, 'plans.json');
  await writeFile(file, JSON.stringify(catalog));
  return readPlans(file);
}

describe('the plans', () => {
  it('that are shipped start with team and its limits', async () => {
    const catalog = await readPlans(SHIPPED);
    expect(planOf(catalog, { plan: catalog.start, livemode: true })).toMatchObject({
      limits: { workspaces: 3, memories: 20, spaces: 100, documents: 100_000 },
      requests_per_second: 50,
      monthly_credits: 1_000,
    });
  });

  it.each<[string, (catalog: CatalogFile) => void, RegExp]>([
    ['a start that is no plan', (catalog) => (catalog.start = 'gold'), /start/],
    ['a start that every object has', (catalog) => (catalog.start = 'toString'), /start/],
    ['an unknown next plan', (catalog) => (catalog.plans['team']!['next'] = 'gold'), /plans\.team\.next/],
    ['a limit of zero', (catalog) => (catalog.plans['free']!.limits['memories'] = 0), /plans\.free\.limits\.memories/],
    [
      'half a workspace',
      (catalog) => (catalog.plans['free']!.limits['workspaces'] = 1.5),
      /plans\.free\.limits\.workspaces/,
    ],
    [
      'a limit that is missing',
      (catalog) => delete catalog.plans['free']!.limits['spaces'],
      /plans\.free\.limits\.spaces/,
    ],
    ['a limit that nobody knows', (catalog) => (catalog.plans['free']!.limits['seats'] = 5), /seats/],
    [
      'a rate no limiter can hold',
      (catalog) => (catalog.plans['free']!['requests_per_second'] = 1e-9),
      /requests_per_second/,
    ],
    ['an invalid address', (catalog) => (catalog.plans['free']!['upgrade_url'] = 'there'), /upgrade_url/],
  ])('with %s are refused, saying where', async (_what, change, where) => {
    await expect(readChanged(change)).rejects.toThrow(where);
  });

  it('are refused with every problem at once and the file’s name', async () => {
    const broken = readChanged((catalog) => {
      catalog.plans['free']!.limits['memories'] = -1;
      catalog.plans['team']!['burst'] = 'many';
    });
    const said = await broken.then(String, (error: Error) => error.message);
    for (const part of [/plans\.json/, /plans\.free\.limits\.memories/, /plans\.team\.burst/])
      expect(said).toMatch(part);
  });

  it('in a file that is missing or no JSON are refused with its name', async () => {
    await expect(readPlans(join(folder, 'missing.json'))).rejects.toThrow(/missing\.json/);
    await writeFile(join(folder, 'torn.json'), '{"start":');
    await expect(readPlans(join(folder, 'torn.json'))).rejects.toThrow(/torn\.json/);
  });
});

describe('planOf', () => {
  it('gives a test tenant a tenth, yet never less than two of a thing', async () => {
    const catalog = await readPlans(SHIPPED);
    const live = planOf(catalog, { plan: 'team', livemode: true });
    const testPlan = planOf(catalog, { plan: 'team', livemode: false });
    expect(testPlan.limits).toEqual({
      workspaces: 2,
      memories: 2,
      spaces: 10,
      documents: 10_000,
      stored_bytes: live.limits.stored_bytes / 10,
      api_keys: 50,
      oauth_clients: 10,
    });
    expect([testPlan.requests_per_second, testPlan.burst, testPlan.monthly_requests]).toEqual([5, 10, 500_000]);
  });

  it('fails for a plan that is not in the catalog', async () => {
    const catalog = await readPlans(SHIPPED);
    for (const plan of ['gold', 'constructor'])
      expect(() => planOf(catalog, { plan, livemode: true })).toThrow(/not in the plan catalog/);
  });
});
