import { expect } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { eventually, type RunningCairn, temporaryFolder } from '@cairn/testing';
import { api } from './api.ts';
import { type Page, startBrowser } from './browser.ts';
import { type Login, startLogin } from './command-line-login.ts';
import { SHOWN, signInLink, WIDE } from './console-screens.ts';

const press = (page: Page, button: string) =>
  page.ask(`[...document.querySelectorAll('button')].find((b) => b.innerText === '${button}').click()`);

/** Two tabs with a session of each environment, one of which switches and one of which signs out. */
export async function checkEnvironments(cairn: RunningCairn): Promise<void> {
  const { test_api_key: testKey } = JSON.parse(await readFile(join(cairn.dataDir, 'credentials.json'), 'utf8'));
  const profile = await temporaryFolder('cairn-two-');
  const browser = await startBrowser(profile);
  try {
    const live = await browser.open(await signInLink(cairn, cairn.apiKey), WIDE);
    await live.until(SHOWN);
    const test = await browser.open(await signInLink(cairn, testKey), WIDE);
    await test.until(SHOWN);
    const frame = `document.querySelector('.shell')?.dataset.environment`;
    expect([await live.ask(frame), await test.ask(frame)]).toEqual(['live', 'test']);
    for (const [page, documents] of [
      [live, true],
      [test, false],
    ] as const) {
      await page.lead(`${cairn.baseUrl}/console/documents`);
      await page.until(SHOWN);
      expect(await page.ask(`document.querySelector('main').innerText.includes('On-call')`)).toBe(documents);
    }
    const choose = (environment: string) => `(() => {
      const choice = document.querySelector('select[aria-label=Environment]');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(choice, '${environment}');
      choice.dispatchEvent(new Event('change', { bubbles: true }));
    })()`;
    await live.ask(choose('test'));
    await live.until(`${frame} === 'test'`);
    // Signed out of the one, it asks for a test key, and the other goes on.
    await press(test, 'Sign out');
    await test.until(`document.body.innerText.includes('sign in with a test key')`);
    expect(await test.barriers()).toEqual([]);
    await press(test, 'Back to live');
    await test.until(`${frame} === 'live'`);
    await checkEndedSession(cairn, test);
    // Browsers note refusals, and that the stream of events of a session is cut when the session ends.
    const expected = /status of (401|429)|ERR_INCOMPLETE_CHUNKED_ENCODING/;
    expect(test.complaints().filter((said) => !expected.test(said))).toEqual([]);
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** A session that is ended from elsewhere: signed in over the page, it is live again, and signing out of it works. */
async function checkEndedSession(cairn: RunningCairn, page: Page): Promise<void> {
  const streams = () => page.requests().filter((url) => url.includes('/api/v1/events/stream')).length;
  const asksForKey = `document.querySelector('dialog[open] input[name=key]') !== null`;
  const followed = streams();
  await endSessionOf(cairn, page);
  // The stream is asked for again, and refused, unless something else has found out before.
  await eventually(async () => streams() > followed || (await page.ask<boolean>(asksForKey)));
  await page.ask(`document.querySelector('nav a[href="/console/documents"]').click()`);
  await page.until(asksForKey);
  const before = streams();
  await page.ask(`(() => {
    const key = document.querySelector('dialog[open] input[name=key]');
    key.value = ${JSON.stringify(cairn.apiKey)};
    key.form.requestSubmit();
  })()`);
  await page.until(`document.querySelector('dialog[open]') === null && ${SHOWN}`);
  await eventually(streams, (count) => count > before);
  const came = { content: 'The bittern came back, too.', title: 'Bittern of the night' };
  expect((await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/documents', came)).status).toBe(202);
  await page.until(`document.querySelector('main').innerText.includes('Bittern of the night')`);
  await endSessionOf(cairn, page);
  await press(page, 'Sign out');
  await page.until(`document.querySelector('main.sign-in input[name=key]') !== null`);
}

/** Ends the session of a page of live data through the API. */
async function endSessionOf(cairn: RunningCairn, page: Page): Promise<void> {
  const id = await page.ask<string>(`fetch('/api/v1/console/sessions?limit=200', {
    headers: { 'cairn-environment': 'live' },
  }).then((answer) => answer.json()).then(({ sessions }) => sessions.find(({ current }) => current).session_id)`);
  const { status } = await api(cairn.baseUrl, cairn.apiKey, 'DELETE', `/api/v1/console/sessions/${id}`);
  expect(status).toBe(200);
}

/** `cairn login`, answered in the console: by its port, refused, by hand, and with what was made for another. */
export async function checkCommandLine(cairn: RunningCairn, folder: string): Promise<void> {
  const browser = await startBrowser(folder);
  try {
    const page = await browser.open(await signInLink(cairn, cairn.apiKey), WIDE);
    await page.until(SHOWN);
    const lead = async (login: Login) => {
      await page.lead(login.url);
      await page.until(`document.querySelector('main')?.innerText.includes('${login.code}') === true`);
    };

    const first = await startLogin(cairn, folder, 'console');
    // Another page of the same browser can reach the port, but was not told the state.
    const { searchParams } = new URL(first.url);
    const callback = `http://127.0.0.1:${searchParams.get('port')}/callback`;
    expect((await fetch(`${callback}?state=guessed&sealed=nonsense`)).status).toBe(404);
    await lead(first);
    expect(await page.barriers()).toEqual([]);
    await press(page, 'Create the key');
    expect(await first.ended).toMatchObject({ code: 0, output: expect.stringContaining('is the current context') });
    const { contexts } = JSON.parse(await readFile(first.contextsFile, 'utf8'));
    const { api_key: key } = contexts['127.0.0.1'];
    const { credential } = (await api(cairn.baseUrl, key, 'GET', '/api/v1/whoami')).body;
    expect(credential).toMatchObject({ kind: 'live', name: `cairn on ${hostname()}`.slice(0, 100) });
    expect(Date.parse(credential.expires_at) - Date.now()).toBeGreaterThan(89 * 86_400_000);

    const refused = await startLogin(cairn, folder, 'console');
    await lead(refused);
    await press(page, 'Refuse');
    expect(await refused.ended).toMatchObject({
      code: 3,
      output: expect.stringContaining('was refused in the console'),
    });

    const byHand = await startLogin(cairn, folder, 'code');
    await lead(byHand);
    await press(page, 'Create the key');
    await page.until(`document.querySelector('main pre') !== null`);
    byHand.type(await page.ask<string>(`document.querySelector('main pre').innerText`));
    expect(await byHand.ended).toMatchObject({ code: 0 });

    const last = await startLogin(cairn, folder, 'code');
    last.type('A'.repeat(512));
    expect(await last.ended).toMatchObject({ code: 3, output: expect.stringContaining('another login') });
    expect([...page.requests(), ...page.complaints()].filter((said) => said.includes(key))).toEqual([]);
  } finally {
    await browser.close();
  }
}
