import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { WebSocket } from 'ws';
import { api } from './api.ts';

const run = promisify(execFile);
const BROWSER_TIMEOUT_MS = 90_000;
/** The first browser on the PATH that speaks Chromium's command line; none: what needs one is skipped, and says so. */
const BROWSER = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome', 'headless_shell'].map((name) => join(folder, name)),
  )
  .find((path) => existsSync(path));
const inBrowser = BROWSER === undefined ? it.skip : it;

let cairn: RunningCairn;
let folder: string;
beforeAll(async () => {
  cairn = await startCairn({ args: [] });
  folder = await temporaryFolder('cairn-page-');
}, 240_000);
afterAll(async () => {
  await cairn.remove();
  await rm(folder, { recursive: true, force: true });
});

const prompt =
  'What happened in the March freezer alarm outage, and what was changed afterwards? Use my documents only';

async function started(key: string) {
  const path = '/api/v1/search/service-deep-search/start';
  const { body } = await api(cairn.baseUrl, key, 'POST', path, { prompt, live_url: true });
  return body as { thread_id: string; websocket_url: string; live_url: string };
}

/** A browser's view of the page once its script has run. */
async function browse(url: string, ...options: string[]): Promise<string> {
  const common = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${folder}`,
    '--virtual-time-budget=8000',
  ];
  const { stdout } = await run(BROWSER!, [...common, ...options, url], {
    timeout: BROWSER_TIMEOUT_MS,
    maxBuffer: 50 * 1_048_576,
  });
  return stdout;
}

function refusalOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.on('error', () => undefined);
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
}

describe('the live page', () => {
  inBrowser(
    'shows a run from its first event to its report, wide and narrow, with no key',
    async () => {
      const { websocket_url, live_url } = await started(cairn.apiKey);
      expect(await browse(live_url, '--dump-dom')).toContain('awaiting connection');
      const socket = new WebSocket(websocket_url);
      await new Promise((resolve) => socket.once('close', resolve));
      const page = await browse(live_url, '--dump-dom', '--window-size=1280,900');
      expect(page).toMatch(/<span[^>]*id="status"[^>]*>completed<\/span>/);
      expect(page).toMatch(/<b id="count-findings">[1-9]\d*<\/b>/);
      expect(page).toMatch(/<div class="report" id="report">.*INC-2031/s);
      for (const [name, size] of [
        ['wide', '1280,900'],
        ['narrow', '390,844'],
      ] as const) {
        const file = join(folder, `${name}.png`);
        await browse(live_url, `--screenshot=${file}`, `--window-size=${size}`);
        expect((await readFile(file)).length).toBeGreaterThan(10_000);
      }
    },
    180_000,
  );

  it('and the WebSocket of a key are gone with it, their tickets too', async () => {
    const made = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/api-keys', { name: 'Watcher' });
    const { api_key: key, key_id } = made.body;
    const run = await started(key);
    const status = await api(cairn.baseUrl, key, 'GET', `/api/v1/search/workflow/status/${run.thread_id}`);
    const socket = new WebSocket(run.websocket_url);
    await new Promise((resolve) => socket.once('open', resolve));
    const other = await started(key);
    const waiting = new WebSocket(other.websocket_url);
    let closed = false;
    waiting.on('close', () => (closed = true));
    await new Promise((resolve) => waiting.once('open', resolve));
    expect((await fetch(run.live_url)).status).toBe(200);
    await api(cairn.baseUrl, cairn.apiKey, 'DELETE', `/api/v1/api-keys/${key_id}`);
    expect((await fetch(run.live_url)).status).toBe(401);
    expect(await refusalOf(status.body.websocket_url)).toBe(401);
    await eventually(() => closed);
    // The run is the tenant's, not the key's: it goes on.
    const path = `/api/v1/search/workflow/status/${other.thread_id}`;
    await eventually(
      () => api(cairn.baseUrl, cairn.apiKey, 'GET', path),
      ({ body }) => body.status === 'completed',
      60_000,
    );
  }, 120_000);
});
