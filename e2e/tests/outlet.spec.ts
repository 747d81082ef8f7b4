import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, listenOnLoopback, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { api, ingest } from './api.ts';
import { type ConnectProxy, countConnections, startConnectProxy } from './connect-proxy.ts';

/** Issued by nobody whom the platform trusts, for this spec alone. */
const certificate = (name: string) => join(import.meta.dirname, 'certificates', name);
const PAGE = `<html><head><title>Lanterns</title></head><body><main><p>The lantern of Skerry harbour was lit in 1871.
The keeper of the Skerry lantern was Ada Brandt.</p></main></body></html>`;

interface Target {
  origin: string;
  port: number;
  paths: string[];
  connections: () => number;
  close(): void;
}

let proxy: ConnectProxy;
let site: Target;
let receiver: Target;
let model: Target;
let search: Target;
let cairn: RunningCairn;
let folder: string;

async function listening(server: Server, scheme: string, paths: string[]): Promise<Target> {
  const connections = countConnections(server);
  const port = await listenOnLoopback(server);
  return {
    origin: `${scheme}://localhost:${port}`,
    port,
    paths,
    connections,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Over TLS with a certificate that only `CAIRN_OUTBOUND_CA_FILE` vouches for. */
async function secureTarget(answer: RequestListener): Promise<Target> {
  const paths: string[] = [];
  const keys = {
    key: readFileSync(certificate('localhost-key.pem')),
    cert: readFileSync(certificate('localhost.pem')),
  };
  const listener: RequestListener = (request, response) => {
    paths.push(request.url!);
    request.resume();
    answer(request, response);
  };
  return listening(createServer(keys, listener) as unknown as Server, 'https', paths);
}

/** Refuses every call, so that whoever asks it falls back: what is counted is the way to it. */
async function refusingTarget(): Promise<Target> {
  const paths: string[] = [];
  const server = createHttpServer((request, response) => {
    paths.push(request.url!);
    request.resume();
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
  });
  return listening(server, 'http', paths);
}

beforeAll(async () => {
  proxy = await startConnectProxy();
  site = await secureTarget((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  receiver = await secureTarget((_request, response) => response.writeHead(204).end());
  model = await secureTarget((_request, response) => response.writeHead(403).end());
  search = await refusingTarget();
  folder = await temporaryFolder('cairn-outlet-');
  const modelsFile = join(folder, 'models.json');
  const providers = [
    { name: 'local', protocol: 'openai-compatible', base_url: `${model.origin}/v1`, api_key: 'a-key' },
  ];
  const language_models = [{ name: 'local-large', provider: 'local' }];
  await writeFile(modelsFile, JSON.stringify({ providers, language_models }));
  cairn = await startCairn({
    env: {
      CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
      CAIRN_OUTBOUND_PROXY: proxy.url,
      CAIRN_OUTBOUND_CA_FILE: certificate('localhost.pem'),
      CAIRN_MODELS_FILE: modelsFile,
      CAIRN_WEB_SEARCH: 'searxng',
      CAIRN_WEB_SEARCH_URL: search.origin,
    },
  });
}, 120_000);
afterAll(async () => {
  await cairn.remove();
  for (const target of [site, receiver, model, search]) target.close();
  await proxy.close();
  await rm(folder, { recursive: true, force: true });
});

/** That the target was reached, and by nothing but tunnels. */
function expectTunnelledOnly(target: Target): void {
  expect(target.paths.length).toBeGreaterThan(0);
  expect(proxy.tunnelsTo(target.port)).toBeGreaterThan(0);
  expect({ direct: target.connections() - proxy.tunnelsTo(target.port) }).toEqual({ direct: 0 });
}

async function completedRun(body: object): Promise<void> {
  const started = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/search/research/start', body);
  expect(started.status).toBe(200);
  const { thread_id } = started.body;
  await eventually(
    () => api(cairn.baseUrl, cairn.apiKey, 'GET', `/api/v1/search/workflow/status/${thread_id}`),
    ({ body: run }) => run.status === 'completed' || run.status === 'failed',
    60_000,
  );
}

describe('with a proxy and an own certificate authority, nothing leaves but through tunnels', () => {
  it('neither URL ingestion nor webhooks', async () => {
    const registered = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/webhooks', {
      url: `${receiver.origin}/hook`,
      events: ['memory.ingest.completed'],
    });
    expect(registered.status).toBe(201);
    await ingest(cairn.baseUrl, cairn.apiKey, [{ url: `${site.origin}/ingested` }]);
    await eventually(
      () => receiver.paths.length,
      (count) => count > 0,
    );
    expect(site.paths).toContain('/ingested');
    expectTunnelledOnly(site);
    expectTunnelledOnly(receiver);
  }, 60_000);

  it('neither the crawler, nor web search, nor the models of a run', async () => {
    await completedRun({
      query: `What does ${site.origin}/crawled say about the lantern of Skerry harbour?`,
      config: { sources: ['web'] },
    });
    expect(site.paths).toContain('/crawled');
    expectTunnelledOnly(site);
    expectTunnelledOnly(search);
    expect(model.paths).toContain('/v1/chat/completions');
    expectTunnelledOnly(model);
  }, 90_000);

  it('nor the models of a search', async () => {
    const before = model.paths.length;
    const answered = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/search', {
      query: 'When was the lantern of Skerry harbour lit?',
    });
    expect(answered.body.fallback).toBe('unauthorized');
    expect(model.paths.length).toBeGreaterThan(before);
    expectTunnelledOnly(model);
  });
});
