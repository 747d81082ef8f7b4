import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type ResearchHarness, startResearchHarness, upgradeStatus } from './research-harness.ts';

const CONNECT_MS = 2_000;
let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness({ connectWithinMs: CONNECT_MS });
});
afterAll(() => research.close());

const WEB = '/api/v1/search/agent/web-and-research';
const prompt = 'How many days of paid leave does everybody have? Use my documents only';
const start = async () => (await research.call('POST', WEB, { prompt, live_url: true })).body;

describe('a ticket', () => {
  it('opens one of twenty connections that come at once', async () => {
    const { websocket_url } = await start();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => upgradeStatus(await research.connect(websocket_url))),
    );
    expect(statuses.toSorted()).toEqual([101, ...Array.from({ length: 19 }, () => 401)]);
  });

  it('of a run that nobody connected to in time is refused, and the run never starts', async () => {
    const { websocket_url, thread_id } = await start();
    await sleep(CONNECT_MS);
    await research.until(thread_id, 'expired');
    expect(await upgradeStatus(await research.connect(websocket_url))).toBe(401);
    expect((await research.events(thread_id)).map(({ type }) => type)).toEqual(['run.expired']);
  }, 60_000);

  it('of a page opens no WebSocket, and one of a WebSocket no page', async () => {
    const { websocket_url, thread_id } = await start();
    const { live_url } = (await research.call('GET', `/api/v1/search/workflow/status/${thread_id}`)).body;
    const [socketTicket, pageTicket] = [websocket_url, live_url].map((url: string) => url.replace(/.*ticket=/, ''));
    const socket = await research.connect(`https://x/api/v1/search/socket/${thread_id}?ticket=${pageTicket}`);
    expect(await upgradeStatus(socket)).toBe(401);
    const page = (ticket: string) => research.call('GET', `/research/live/${thread_id}?ticket=${ticket}`);
    expect((await page(socketTicket!)).status).toBe(401);
    expect((await page(pageTicket!)).status).toBe(200);
  });
});

describe('an upgrade', () => {
  it.each([
    ['without an identity', '/api/v1/search/socket/thr_1', {}, 401],
    ['to another path', '/api/v1/search/sockets/thr_1', null, 404],
    ['to a thread whose name is broken', '/api/v1/search/socket/%E0%A4%A', null, 404],
    ['to a thread that is a path', '/api/v1/search/socket/..%2f..%2fx', null, 404],
    ['with an unknown parameter', '/api/v1/search/socket/thr_1?lastSeq=1', null, 422],
  ])('%s is refused', async (_what, path, given, status) => {
    const caller = { ...research.caller, admitUntilMs: Date.now() + 60_000 };
    const headers: Record<string, string> =
      given ?? (await research.identities.headersFor(caller, { service: 'research', url: path }));
    expect(await upgradeStatus(new WebSocket(`${research.http.replace('http', 'ws')}${path}`, { headers }))).toBe(
      status,
    );
  });

  it('of a key that may only read starts nothing', async () => {
    const { thread_id } = await start();
    const as = { ...research.caller, appPermissions: { research: ['read'] as const } };
    expect(await upgradeStatus(await research.connect(`https://x/api/v1/search/socket/${thread_id}`, { as }))).toBe(
      403,
    );
    expect((await research.call('GET', `/api/v1/search/workflow/status/${thread_id}`)).body.status).toBe(
      'awaiting_connection',
    );
  });

  it('is closed when it sends more than it may, and the run goes on', async () => {
    const { websocket_url, thread_id } = await start();
    const socket = await research.connect(websocket_url);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.send('x'.repeat(70_000));
    expect(await closed).toBe(1009);
    expect((await research.until(thread_id, 'completed')).status).toBe('completed');
  });
});
