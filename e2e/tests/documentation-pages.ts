import { rm } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { eventually, type RunningCairn, temporaryFolder } from '@cairn/testing';
import { api } from './api.ts';
import { type Page, startBrowser } from './browser.ts';
import { signInLink, WIDE } from './console-screens.ts';

/** Chosen before anybody looked what the search finds, each with the page that it must name among the first. */
const TERMS: [string, string][] = [
  ['rotate key', 'guides/rotate-a-key'],
  ['429', 'errors'],
  ['webhook signature', 'reference/webhooks'],
  ['MCP', 'guides/agents'],
  ['backup', 'operating/operations'],
  ['idempotency key', 'guides/retries-and-idempotency'],
  ['metadata filter', 'guides/filters'],
  ['stream answer', 'guides/stream-into-a-browser'],
  ['kubernetes', 'operating/deploying'],
  ['delete tenant', 'operating/operations'],
  ['CAIRN_MODELS_FILE', 'reference/configuration'],
];
const FIRST_PAGES = 4;
const TABS = 3;
const NARROW = { width: 390, height: 844 };
const SHOWN = `document.querySelector('main h1') !== null`;

/** Every page of the documentation, by the list that programs read. */
async function pagesOf(cairn: RunningCairn): Promise<string[]> {
  const list = await (await fetch(`${cairn.baseUrl}/llms.txt`)).text();
  return [...list.matchAll(/\]\((\/docs[^)]*)\.md\)/g)].map(([, path]) => path!.replace(/\/index$/, ''));
}

/** Waits until the documentation, which is built when everything else is up, is there. */
export async function untilBuilt(cairn: RunningCairn): Promise<void> {
  await eventually(
    () => fetch(`${cairn.baseUrl}/llms.txt`),
    ({ status }) => status === 200,
    590_000,
  );
}

/** Opens all of them; a page of each kind is looked at for barriers, wide, narrow and dark. */
export async function checkPages(cairn: RunningCairn, folder: string): Promise<void> {
  const pages = await pagesOf(cairn);
  expect(pages.length).toBeGreaterThan(100);
  const kinds = new Map(
    pages.map((path) => [
      path
        .split('/')
        .slice(0, 4)
        .join('/')
        .replace(/[^/]*$/, ''),
      path,
    ]),
  );
  const sampled = new Set(['/docs', '/docs/errors', '/docs/operating/deploying', ...kinds.values()]);
  const browser = await startBrowser(folder);
  const waiting = [...pages];
  const tabs: Page[] = [];
  try {
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await browser.open(`${cairn.baseUrl}/docs/errors`, WIDE);
        tabs.push(page);
        for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
          await page.lead(`${cairn.baseUrl}${path}`);
          await page.until(
            `location.pathname === ${JSON.stringify(path)} && document.readyState === 'complete' && ${SHOWN}`,
          );
          if (sampled.has(path)) await look(page, path);
        }
      }),
    );
    expect(tabs.flatMap((page) => page.complaints())).toEqual([]);
    expect(tabs.flatMap((page) => page.requests()).filter((url) => !isOwn(url, cairn))).toEqual([]);
  } finally {
    await browser.close();
  }
}

async function look(page: Page, path: string): Promise<void> {
  for (const view of [WIDE, { ...NARROW, dark: true }]) {
    await page.screenshot(view);
    expect([path, await page.ask('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0]);
    expect([path, await page.barriers()]).toEqual([path, []]);
  }
  await page.screenshot(WIDE);
}

/** Ten terms, each with what was chosen to be found, without a request elsewhere. */
export async function checkSearch(cairn: RunningCairn, folder: string): Promise<void> {
  const browser = await startBrowser(folder);
  try {
    const page = await browser.open(`${cairn.baseUrl}/docs`, WIDE);
    await page.until(`document.querySelector('button[data-open-modal]:not([disabled])') !== null`);
    await page.ask(`document.querySelector('button[data-open-modal]').click()`);
    await page.until(`document.querySelector('#starlight__search input') !== null`);
    for (const [term, expected] of TERMS) {
      await page.ask(`(() => {
        const input = document.querySelector('#starlight__search input');
        input.value = ${JSON.stringify(term)};
        input.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      // What is shown may still be of the term before.
      const results = `document.querySelector('#starlight__search .pagefind-ui__message')?.innerText.endsWith(${JSON.stringify(term)})
        ? [...new Set([...document.querySelectorAll('#starlight__search li a')].map((a) => a.pathname))] : []`;
      await eventually(
        () => page.ask<string[]>(results),
        (paths) => paths.slice(0, FIRST_PAGES).includes(`/docs/${expected}`),
        30_000,
      ).catch((cause: unknown) => {
        throw new Error(`${expected} is not among the first pages found for “${term}”`, { cause });
      });
    }
    expect(page.complaints()).toEqual([]);
    expect(page.requests().filter((url) => !isOwn(url, cairn))).toEqual([]);
  } finally {
    await browser.close();
  }
}

/** Without a session the box says how to sign in, and with one it answers from the pages. */
export async function checkQuestions(cairn: RunningCairn): Promise<void> {
  const { memory_id } = await eventually(
    async () => (await api(cairn.baseUrl, cairn.apiKey, 'GET', '/api/v1/memories')).body.memories as NamedMemory[],
    (memories) => memories.some(isDocumentation),
    120_000,
  ).then((memories) => memories.find(isDocumentation)!);
  const path = `/api/v1/memory/documents?memory_id=${memory_id}&query=guides/rotate-a-key`;
  await eventually(
    async () => (await api(cairn.baseUrl, cairn.apiKey, 'GET', path)).body.documents as { status: string }[],
    (documents) => documents[0]?.status === 'completed',
    240_000,
  );
  // Nobody has signed in with it.
  const folder = await temporaryFolder('cairn-questions-');
  const browser = await startBrowser(folder);
  try {
    const stranger = await browser.open(`${cairn.baseUrl}/docs/guides/rotate-a-key`, WIDE);
    await ask(stranger, 'How long do both keys work when a key is rotated?');
    await stranger.until(`document.querySelector('cairn-ask output a')?.pathname === '/console'`);
    const page = await browser.open(await signInLink(cairn, cairn.apiKey), WIDE);
    await page.until(SHOWN);
    await page.lead(`${cairn.baseUrl}/docs/guides/masking`);
    await page.until(`location.pathname === '/docs/guides/masking' && ${SHOWN}`);
    await ask(page, 'How do I rotate a key?');
    await page.until(`document.querySelector('cairn-ask output li a')?.pathname.startsWith('/docs/') === true`);
    expect(page.complaints()).toEqual([]);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

interface NamedMemory {
  memory_id: string;
  display_name: string;
}

function isDocumentation({ display_name }: NamedMemory): boolean {
  return display_name === 'Cairn documentation';
}

async function ask(page: Page, question: string): Promise<void> {
  await page.until(
    `document.querySelector('cairn-ask input') !== null && customElements.get('cairn-ask') !== undefined`,
  );
  await page.ask(`(() => {
    document.querySelector('cairn-ask input').value = ${JSON.stringify(question)};
    document.querySelector('cairn-ask form').requestSubmit();
  })()`);
}

function isOwn(url: string, cairn: RunningCairn): boolean {
  return url.startsWith('data:') || url.startsWith('blob:') || new URL(url).origin === cairn.baseUrl;
}
