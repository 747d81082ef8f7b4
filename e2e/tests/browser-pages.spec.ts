import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import {
  eventually,
  type OpenidProvider,
  type RunningCairn,
  startCairn,
  startOpenidProvider,
  temporaryFolder,
} from '@cairn/testing';
import { WebSocket } from 'ws';
import { findFreePort } from '@cairn/embedded';
import { api } from './api.ts';
import { appOnDevice } from './app-on-device.ts';
import { BROWSER, startBrowser, type View } from './browser.ts';
import { OF_KEYS_ALONE, SCREENS, SHOWN, signInLink, WIDE } from './console-screens.ts';
import { checkCommandLine, checkEnvironments } from './console-sign-ins.ts';
import { checkPages, checkQuestions, checkSearch, untilBuilt } from './documentation-pages.ts';
import { startReplica } from './more-replicas.ts';
import { type NewTenant, operator } from './operator.ts';

/** Without a browser what needs one is skipped, and says so. */
const inBrowser = BROWSER === null ? it.skip : it;
const NARROW: View = { width: 390, height: 844 };

let cairn: RunningCairn;
let folder: string;
let provider: OpenidProvider;
beforeAll(async () => {
  provider = await startOpenidProvider();
  const { issuer, clientId, clientSecret } = provider;
  cairn = await startCairn({
    args: [],
    env: {
      CAIRN_OIDC_ISSUER: issuer,
      CAIRN_OIDC_CLIENT_ID: clientId,
      CAIRN_OIDC_CLIENT_SECRET: clientSecret,
      CAIRN_OIDC_NAME: 'Example',
      // It is built when everything else is up, as for anybody who starts an installation.
      CAIRN_DOCS_DIR: '',
    },
  });
  folder = await temporaryFolder('cairn-page-');
}, 240_000);
afterAll(async () => {
  await cairn.remove();
  await provider.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const prompt =
  'What happened in the March freezer alarm outage, and what was changed afterwards? Use my documents only';

async function started(key: string) {
  const path = '/api/v1/search/service-deep-search/start';
  const { body } = await api(cairn.baseUrl, key, 'POST', path, { prompt, live_url: true });
  return body as { thread_id: string; websocket_url: string; live_url: string };
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
    'shows a run from its first event to its report, wide and narrow, light and dark, with no key',
    async () => {
      const { websocket_url, live_url } = await started(cairn.apiKey);
      const browser = await startBrowser(folder);
      try {
        const page = await browser.open(live_url, WIDE);
        await page.until(`document.getElementById('status').textContent === 'awaiting connection'`);
        const socket = new WebSocket(websocket_url);
        await new Promise((resolve) => socket.once('close', resolve));
        await page.until(`document.getElementById('status').textContent === 'completed'`);
        expect(await page.ask<string>(`document.getElementById('report').textContent`)).toContain('INC-2031');
        expect(await page.ask<number>(`Number(document.getElementById('count-findings').textContent)`)).toBeGreaterThan(
          0,
        );
        // A page that is opened late shows the same.
        const late = await browser.open(live_url, NARROW);
        await late.until(`document.getElementById('status').textContent === 'completed'`);
        for (const shown of [page, late])
          for (const view of [WIDE, NARROW, { ...WIDE, dark: true }, { ...NARROW, dark: true }]) {
            expect((await shown.screenshot(view)).length).toBeGreaterThan(10_000);
            expect(await shown.ask<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
          }
        expect([...page.complaints(), ...late.complaints()]).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    240_000,
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

const QUESTION = 'What happened in the March freezer alarm outage?';

async function entityId(name: string): Promise<string> {
  const path = `/api/v1/memory/graph/entities?limit=1&query=${encodeURIComponent(name)}`;
  return (await api(cairn.baseUrl, cairn.apiKey, 'GET', path)).body.entities[0].entity_id;
}

describe('the console', () => {
  inBrowser(
    'leads from the printed link to the marked words of a source, without a key, a violation of its policy or a request elsewhere',
    async () => {
      const link = /^ {2}console +(\S+)$/m.exec(cairn.output())?.[1] ?? (await signInLink(cairn, cairn.apiKey));
      const browser = await startBrowser(folder);
      try {
        const page = await browser.open(link, WIDE);
        await page.until(SHOWN);
        expect(await page.ask<string>('location.hash')).toBe('');
        expect(await page.ask<string>('document.cookie')).toBe('');
        await page.lead(`${cairn.baseUrl}/console/ask?q=${encodeURIComponent(QUESTION)}`);
        await page.until(`document.querySelector('#asked') !== null`);
        const marked = await page.ask<string>(`document.querySelector('#asked').innerText`);
        expect(marked).toContain('INC-2031');
        await page.ask(`[...document.querySelectorAll('a')].find((a) => a.href.includes('/documents/')).click()`);
        await page.until(
          `location.pathname.includes('/documents/') && document.querySelector('.cited, .source') === null && document.querySelector('#asked') !== null`,
        );
        expect(marked).toContain(await page.ask<string>(`document.querySelector('#asked').innerText`));
        const [from, to] = await Promise.all(['Bram Oosterling', 'Pêcheries Kervalec'].map(entityId));
        await page.lead(`${cairn.baseUrl}/console/graph?entity=${from}&to=${to}`);
        await page.until(`document.querySelectorAll('ol.path > li').length > 1`);
        expect(await page.ask(`document.querySelector('ol.path').innerText`)).toMatch(
          /^Bram[^]+People directory[^]+Pêcheries/,
        );
        expect(await page.barriers()).toEqual([]);
        // A run is started, followed and read without the API.
        await page.lead(`${cairn.baseUrl}/console/runs`);
        await page.until(`document.querySelector('textarea[name=prompt]') !== null`);
        await page.ask(`(() => {
          const prompt = document.querySelector('textarea[name=prompt]');
          prompt.value = ${JSON.stringify(QUESTION)};
          prompt.form.requestSubmit();
        })()`);
        await page.until(`document.querySelector('.report')?.innerText.includes('INC-2031') === true`);
        expect(await page.barriers()).toEqual([]);
        // A document that comes is seen without being asked for.
        await page.lead(`${cairn.baseUrl}/console/documents`);
        await page.until(SHOWN);
        const came = { content: 'The heron came back.', title: 'Heron of the evening' };
        expect((await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/documents', came)).status).toBe(202);
        await page.until(`document.querySelector('main').innerText.includes('Heron of the evening')`);
        // The link works once.
        const ticket = new URL(link).hash.slice('#ticket='.length);
        const used = await api(cairn.baseUrl, null, 'POST', '/api/v1/console/sessions', { ticket });
        expect(used.status).toBe(401);
        expect(page.complaints()).toEqual([]);
        const elsewhere = page
          .requests()
          .filter((url) => !url.startsWith('data:') && new URL(url).origin !== cairn.baseUrl);
        expect(elsewhere).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    240_000,
  );

  inBrowser(
    'lets an invited person in with the identity provider, shows who is signed in, and out again when removed',
    async () => {
      const person = { subject: 'ada', email: 'ada@example.com', emailVerified: true, name: 'Ada Field' };
      await provider.signInAs(person);
      const invitation = { email: person.email, role: 'admin' };
      const { url } = (await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/invitations', invitation)).body;
      const profile = await temporaryFolder('cairn-person-');
      const browser = await startBrowser(profile);
      try {
        const page = await browser.open(url, WIDE);
        const signIn = `[...document.querySelectorAll('button')].find((b) => b.innerText === 'Sign in with Example')`;
        await page.until(`${signIn} !== undefined`);
        expect(await page.ask<string>('location.hash')).toBe('');
        expect(await page.barriers()).toEqual([]);
        await page.ask(`${signIn}.click()`);
        await page.until(`document.querySelector('header')?.innerText.includes('Ada Field') === true`);
        expect(await page.ask<string>('location.pathname + location.search')).toBe('/console/');
        await page.lead(`${cairn.baseUrl}/console/members`);
        await page.until(`document.querySelector('main').innerText.includes(${JSON.stringify(person.email)})`);
        const app = await appOnDevice(cairn);
        await page.lead(app.url);
        const connect = `[...document.querySelectorAll('button')].find((b) => b.innerText === 'Connect')`;
        await page.until(`${connect} !== undefined`);
        expect(await page.ask('document.querySelector("main").innerText')).toContain('“Field notes” asks');
        expect(await page.barriers()).toEqual([]);
        await page.ask(`${connect}.click()`);
        const tokens = await app.tokens();
        const who = await api(cairn.baseUrl, tokens.access_token, 'GET', '/api/v1/whoami');
        expect(who.body.credential).toMatchObject({ name: 'Field notes', space_id: app.spaceId });
        const { members } = (await api(cairn.baseUrl, cairn.apiKey, 'GET', '/api/v1/members')).body;
        await api(cairn.baseUrl, cairn.apiKey, 'DELETE', `/api/v1/members/${members[0].member_id}`);
        expect((await api(cairn.baseUrl, tokens.access_token, 'GET', '/api/v1/whoami')).status).toBe(401);
        await page.lead(`${cairn.baseUrl}/console/audit`);
        await page.until(`${signIn} !== undefined`);
        // A person who is nobody here any more is told so; browsers note refusals, that the stream of events was cut, and
        // that the app, which is gone by then, has no icon.
        await page.ask(`${signIn}.click()`);
        await page.until(`document.querySelector('[role=alert]')?.innerText.includes('invited') === true`);
        const expected = /status of 40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING|:\d+\/favicon.ico"/;
        expect(page.complaints().filter((said) => !expected.test(said))).toEqual([]);
      } finally {
        await browser.close();
        await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      }
    },
    120_000,
  );

  inBrowser(
    'has a session of each environment, of which every tab keeps to its own',
    () => checkEnvironments(cairn),
    120_000,
  );

  inBrowser(
    'makes a key for the command line, which gets it on its port or by hand, and nobody else',
    () => checkCommandLine(cairn, folder),
    120_000,
  );

  inBrowser(
    'opens every screen, with data, empty and with scopes missing, wide and narrow, light and dark, without a barrier',
    async () => {
      const other = await operator<NewTenant>(
        cairn,
        'tenant',
        'create',
        '--name',
        'Nothing yet',
        '--plan',
        'enterprise',
      );
      const few = { name: 'Asker', scopes: ['memory:search'] };
      const asker = (await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/api-keys', few)).body.api_key;
      const browser = await startBrowser(folder);
      try {
        for (const key of [cairn.apiKey, other.api_key, asker]) {
          const page = await browser.open(await signInLink(cairn, key), WIDE);
          await page.until(SHOWN);
          for (const screen of SCREENS) {
            await page.lead(`${cairn.baseUrl}/console${screen}`);
            await page.until(SHOWN);
            // What a key may not see is a notice, which other screens have too.
            if (key !== asker) expect([screen, await page.barriers()]).toEqual([screen, []]);
            if (key !== cairn.apiKey) continue;
            for (const view of [{ ...WIDE, dark: true }, NARROW]) {
              await page.screenshot(view);
              expect([screen, await page.ask('document.documentElement.scrollWidth - innerWidth')]).toEqual([
                screen,
                0,
              ]);
              if (view.dark === true) expect([screen, await page.barriers()]).toEqual([screen, []]);
            }
          }
          // What the key may not do is answered with 403, which the page shows and browsers note.
          const refused = /status of 403/;
          expect(page.complaints().filter((said) => key !== asker || !refused.test(said))).toEqual([]);
        }
      } finally {
        await browser.close();
      }
    },
    300_000,
  );

  inBrowser(
    'says on every screen what cannot be shown while a service is down, and shows the rest',
    async () => {
      // Of a gateway that reaches keys alone, every other service is down.
      const nowhere = `http://127.0.0.1:${await findFreePort()}`;
      const services = ['TENANCY', 'MEMORY', 'RESEARCH', 'WEBHOOKS', 'USAGE'];
      const alone = await startReplica(
        cairn,
        'gateway',
        Object.fromEntries(services.map((name) => [`CAIRN_${name}_HTTP`, nowhere])),
      );
      const browser = await startBrowser(folder);
      try {
        const link = new URL(await signInLink(cairn, cairn.apiKey));
        const page = await browser.open(`${alone.http}${link.pathname}${link.hash}`, WIDE);
        await page.until(`document.querySelector('nav a') !== null`);
        for (const screen of SCREENS) {
          await page.lead(`${alone.http}/console${screen}`);
          await page.until(SHOWN);
          const alerts = `document.querySelectorAll('[role=alert]').length`;
          if (!OF_KEYS_ALONE.has(screen)) await page.until(`${alerts} > 0`);
          expect([screen, await page.ask(`document.querySelector('nav a') !== null`)]).toEqual([screen, true]);
        }
        expect(page.complaints().filter((said) => !/status of 50[0-4]/.test(said))).toEqual([]);
      } finally {
        await browser.close();
        await alone.stop();
      }
    },
    240_000,
  );
});

describe('the documentation', () => {
  it('is built behind the first start', () => untilBuilt(cairn), 600_000);

  inBrowser(
    'opens page by page without a violation of its policy, a request elsewhere or a barrier',
    () => checkPages(cairn, folder),
    300_000,
  );

  inBrowser('finds what was chosen to be found, offline', () => checkSearch(cairn, folder), 120_000);

  inBrowser(
    'answers those who are signed in to the console, and says to others how',
    () => checkQuestions(cairn),
    420_000,
  );
});
