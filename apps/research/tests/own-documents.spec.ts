import { listenOnLoopback } from '@cairn/testing';
import { sourceScopeOf } from '../src/request/source-phrases.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { channel } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import { addressesIn } from '../src/analysis/web-options.ts';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
let engine: Server;
let site: string;
/** Hosts that undici, by which the guard connects, was about to connect to. */
const dialled: string[] = [];
const note = (message: unknown) => {
  dialled.push((message as { connectParams: { host: string } }).connectParams.host);
};

beforeAll(async () => {
  channel('undici:client:beforeConnect').subscribe(note);
  engine = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ results: [{ url: `${site}/found`, title: 'Found', content: 'Something' }] }));
  });
  const port = await listenOnLoopback(engine);
  site = `http://127.0.0.1:${port}`;
  // With a search engine configured and private addresses allowed, only the prompt keeps a run off the web.
  research = await startResearchHarness({ allowPrivateNetwork: true, webSearch: 'searxng', webSearchUrl: site });
  research.stubs.documents.push(
    {
      docId: 'doc_travel',
      title: 'Travel rules',
      text: 'Travel by train is booked in second class. Travel by plane needs the approval of a manager.',
    },
    { docId: 'doc_meals', title: 'Travel meals', text: 'Meals on the way are paid back up to 30 euros a day.' },
  );
});
afterAll(async () => {
  channel('undici:client:beforeConnect').unsubscribe(note);
  await research.close();
  await new Promise((resolve) => {
    engine.close(resolve);
    engine.closeAllConnections();
  });
});

/** Connections that the spec opened to anything but the service. */
const elsewhere = () => dialled.filter((host) => host !== new URL(research.http).host);

const WEB = '/api/v1/search/agent/web-and-research';
const RESEARCH = '/api/v1/search/research/start';

describe('a run over one’s own documents', () => {
  it('is distinguished by the guard: a run that may use the web does', async () => {
    const { body } = await research.call('POST', RESEARCH, {
      query: `What are the rules for travel by train? ${site}/`,
    });
    await research.until(body.thread_id, 'completed');
    expect(elsewhere().length).toBeGreaterThan(0);
  }, 60_000);

  it.each<[string, (address: string) => object, string]>([
    ['by its words', (address) => ({ prompt: `My documents only: rules for travel? ${address}/` }), WEB],
    [
      'by its configuration',
      (address) => ({ prompt: `Rules for travel? ${address}/`, config: { sources: ['memory'] } }),
      WEB,
    ],
    [
      'by its words against its configuration',
      (address) => ({
        query: `Use only our handbook: rules for travel? ${address}/`,
        config: { sources: ['web', 'memory'], seeds: [`${address}/`] },
      }),
      RESEARCH,
    ],
    [
      'as a search for people',
      () => ({ prompt: 'Find train drivers, my documents only' }),
      '/api/v1/search/workflow/people/start',
    ],
    [
      'as a deep search',
      (address) => ({ prompt: `What are the travel rules? Don't use the web. ${address}/` }),
      '/api/v1/search/service-deep-search/start',
    ],
  ])(
    '%s opens no connection',
    async (_how, body, path) => {
      dialled.length = 0;
      const started = (await research.call('POST', path, body(site))).body;
      if (started.websocket_url !== undefined) await messagesOf(await research.connect(started.websocket_url));
      await research.until(started.thread_id, 'completed');
      expect(elsewhere()).toEqual([]);
    },
    60_000,
  );

  it('opens none either when only the answer to its question says so', async () => {
    dialled.length = 0;
    const { body } = await research.call('POST', RESEARCH, {
      query: 'Travel',
      allow_clarification: true,
      config: { sources: ['memory', 'web'], seeds: [`${site}/`] },
    });
    await research.until(body.thread_id, 'awaiting_clarification');
    const answer = encodeURIComponent('The rules for trains, my documents only');
    await research.call('POST', `/api/v1/search/research/respond/${body.thread_id}?response=${answer}`);
    const done = await research.until(body.thread_id, 'completed');
    expect(done.research_brief).toContain('Sources: the memory only.');
    expect(elsewhere()).toEqual([]);
  }, 60_000);

  it.each([
    ['my documents only', 'own'],
    ['Only use our internal documents.', 'own'],
    ['just my files please', 'own'],
    ['search exclusively in the uploaded files', 'own'],
    ['from the handbook alone', 'own'],
    ['do not use the internet', 'own'],
    ["Don't go online", 'own'],
    ['without any web', 'own'],
    ['Which companies sell only documents?', 'any'],
    ['What do our documents say, and what does the web say?', 'any'],
    ['Find web developers in Berlin', 'any'],
    ['People named in my documents', 'own'],
    ['Chemists from our files who speak German', 'own'],
    ['Use my documents and not the internet: find lawyers', 'own'],
    ['not only my documents', 'any'],
    ['People in my documents or on the web', 'any'],
    ['Only use the web. List chemists born in Oslo.', 'web'],
    ["Don't use my documents.", 'web'],
    ['engineers who work on memory', 'any'],
  ] as const)('%j is to be looked up in: %s', (prompt, scope) => {
    expect(sourceScopeOf(prompt)).toBe(scope);
  });

  it.each([
    ['read https://example.org/a, and www.example.com.', ['https://example.org/a', 'https://www.example.com/']],
    ['mail x@example.org or read example.org', ['https://example.org/']],
    ['report.pdf and Node.js', []],
    ['ftp://example.org javascript:alert(1)', ['https://example.org/']],
  ])('in %j are the addresses %j', (prompt, addresses) => {
    expect(addressesIn(prompt)).toEqual(addresses);
  });
});
