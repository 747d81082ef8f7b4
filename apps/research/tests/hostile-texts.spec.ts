import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type HostileSite, startHostileSite } from './hostile-site.ts';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

/** The texts below would block an event loop for more than twenty seconds. */
const BLOCKED_FROM_MS = 8_000;

let research: ResearchHarness;
let site: HostileSite;

beforeAll(async () => {
  research = await startResearchHarness({ allowPrivateNetwork: true, analysisTimeoutMs: 3_000 });
});
afterAll(async () => {
  await research.close();
  await site?.close();
});

/** Longest time that the event loop was blocked during the work. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay();
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

describe('a text crafted to be matched forever', () => {
  it('as the prompt of a people search, fails its own run and delays nothing else', async () => {
    const prompt = `people with experience in a${' and a'.repeat(26)},b`;
    const blockedMs = await longestBlock(async () => {
      const started = await research.call('POST', '/api/v1/search/workflow/people/start', { prompt });
      expect(started.status).toBe(200);
      await research.until(started.body.thread_id, 'failed', 'completed');
    });
    expect(blockedMs).toBeLessThan(BLOCKED_FROM_MS);
  });

  it('as the robots.txt of a site, leaves the site unread or is obeyed, and delays nothing else', async () => {
    const body = `User-agent: *\nallow${'\t'.repeat(4_500)}x\u2028y`;
    site = await startHostileSite({ robots: { status: 200, body } });
    const blockedMs = await longestBlock(async () => {
      const started = await research.call('POST', '/api/v1/search/agent/agentic-crawler', {
        prompt: `Read ${site.origin}/ and list what it says about the harbour`,
        config: { sources: ['web'], max_pages: 2 },
      });
      await messagesOf(await research.connect(started.body.websocket_url));
      await research.until(started.body.thread_id, 'failed', 'completed');
    });
    expect(blockedMs).toBeLessThan(BLOCKED_FROM_MS);
  });
});
