import type { RunningCairn } from '@cairn/testing';
import { startHostileSite } from '../../../../apps/research/tests/hostile-site.ts';
import { type Resident, watchMemory } from './resident-memory.ts';
import { watchBySocket } from './watchers.ts';

export interface CrawlMeasurement {
  wanted: number;
  /** Of the pages that a polite crawler should find. */
  covered: number;
  requests: number;
  disallowed: number;
  /** Highest number of concurrent requests. */
  busiest: number;
  seconds: number;
  research: Resident;
}

/** Crawls the hostile site of 500 pages in a whole installation. */
export async function measureCrawl(cairn: RunningCairn): Promise<CrawlMeasurement> {
  const site = await startHostileSite();
  const memory = await watchMemory(cairn, ['research']);
  try {
    const began = performance.now();
    const response = await fetch(`${cairn.baseUrl}/api/v1/search/agent/agentic-crawler`, {
      method: 'POST',
      headers: { 'x-api-key': cairn.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        prompt: `Read ${site.origin}/ and list what it says about the harbour and the lantern`,
        config: { sources: ['web'] },
      }),
    });
    const session = (await response.json()) as { thread_id: string; websocket_url: string };
    const read = new Set<string>();
    await watchBySocket(session.websocket_url, session.thread_id, ({ type, data }) => {
      if (type === 'source.fetched') read.add(String(data['uri']).slice(site.origin.length));
    }).ended;
    const isDisallowed = (path: string) =>
      (path.startsWith('/private/') && path !== '/private/open.html') || path.endsWith('.cgi');
    return {
      wanted: site.wanted.size,
      covered: [...site.wanted].filter((path) => read.has(path)).length,
      requests: site.asked.length,
      disallowed: site.asked.filter(isDisallowed).length,
      busiest: site.busiest,
      seconds: (performance.now() - began) / 1_000,
      research: memory.stop().research,
    };
  } finally {
    memory.stop();
    await site.close();
  }
}
