import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';

const { fetch } = globalThis;
const kept = new Map<string, string>();
/** What the API answers to the next requests; null where there is no answer. */
let answers: (Response | null)[] = [];
let asked: string[] = [];

Object.assign(globalThis, {
  location: { origin: 'http://console.test' },
  sessionStorage: { getItem: (name: string) => kept.get(name) ?? null, setItem: kept.set.bind(kept) },
  fetch: async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${new URL(url).pathname}`);
    const answer = answers.shift() ?? null;
    if (answer === null) throw new TypeError('fetch failed');
    return answer;
  },
});

const refusal = (status: number, code: string) => Response.json({ status, code, detail: 'No.' }, { status });

beforeEach(() => {
  asked = [];
});

afterAll(() => {
  globalThis.fetch = fetch;
});

describe('signing out', () => {
  it('ends the session', async () => {
    const { endSession } = await import('./end-session.ts');
    answers = [Response.json({ ended: true })];
    await endSession();
    expect(asked).toEqual(['DELETE /api/v1/console/sessions/current']);
  });

  it('is done when the session has ended already', async () => {
    const { endSession } = await import('./end-session.ts');
    answers = [refusal(401, 'credential_revoked')];
    await expect(endSession()).resolves.toBeUndefined();
    // The answer to the first request was lost.
    answers = [null, refusal(401, 'credential_revoked')];
    await expect(endSession()).resolves.toBeUndefined();
  });

  it('says when nobody knows whether the session has ended', async () => {
    const { endSession } = await import('./end-session.ts');
    answers = [null, null];
    await expect(endSession()).rejects.toThrow('There was no answer');
    answers = [refusal(403, 'permission_denied')];
    await expect(endSession()).rejects.toThrow('No.');
  });
});

describe('a page over which somebody has signed in', () => {
  const whoIs = (tenant: string, environment: string) => ({
    tenant: { tenant_id: tenant },
    credential: { environment },
  });

  it.each([
    ['stays for the same tenant', 'tnt_1', 'live', true],
    ['does not stay for another tenant', 'tnt_2', 'live', false],
    ['does not stay for the other environment', 'tnt_1', 'test', false],
  ])('%s', async (_name, tenant, environment, stays) => {
    const { pageMayStay } = await import('./who-am-i.ts');
    const client = new QueryClient();
    client.setQueryData(['whoami'], whoIs('tnt_1', 'live'));
    answers = [Response.json(whoIs(tenant, environment))];
    expect(await pageMayStay(client)).toBe(stays);
    client.clear();
  });

  it('stays when it showed nothing yet', async () => {
    const { pageMayStay } = await import('./who-am-i.ts');
    expect(await pageMayStay(new QueryClient())).toBe(true);
    expect(asked).toEqual([]);
  });
});
