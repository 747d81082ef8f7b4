import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@cairn/contracts';
import { createLogger, parseConfig } from '@cairn/service-kit';
import { eventually } from '@cairn/testing';
import { type Config, variables } from '../src/config.ts';
import { startGateway } from '../src/service.ts';
import { ERROR_CODES } from '@cairn/errors';
import { callHttp } from './http-call.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe("the gateway's own pages", () => {
  it('/favicon.ico is an icon, which browsers ask for on every page', async () => {
    const answer = await callHttp(gateway.url, '/favicon.ico');
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml; charset=utf-8' } });
    expect(answer.text).toMatch(/^<svg /);
  });

  it('/healthz says that the process lives, also to a health check that names no host', async () => {
    expect(await callHttp(gateway.url, '/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect((await callHttp(gateway.url, '/healthz', { method: 'HEAD' })).status).toBe(200);
  });

  it('/openapi.json is OpenAPI 3.1 and lists exactly the operations of the contract', async () => {
    const answer = await callHttp(gateway.url, '/openapi.json');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const document = JSON.parse(answer.text) as {
      openapi: string;
      servers: { url: string }[];
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([{ url: gateway.url }]);
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(OPERATIONS.map(({ id, method, path }) => `${id}: ${method} ${path}`).sort());
  });

  it('/docs/try is complete without the internet: every asset is local and served', async () => {
    const page = await callHttp(gateway.url, '/docs/try');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.headers['content-security-policy']).toMatch(/default-src 'self'/);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(assets).toHaveLength(3);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/docs\/try\//);
      const served = await callHttp(gateway.url, asset);
      expect({ asset, status: served.status, type: served.headers['content-type'] }).toEqual({
        asset,
        status: 200,
        type: expect.stringMatching(asset.endsWith('.css') ? /^text\/css/ : /javascript/),
      });
    }
    const start = await callHttp(gateway.url, '/docs/try/start.js');
    expect(start.text).toContain("url: '/openapi.json'");
    expect(start.text).toContain('validatorUrl: null');
    for (const text of [page.text, start.text]) expect(text).not.toMatch(/https?:|\/\/[a-z]/i);
  });

  it('every error leads by its type to its place on a page', async () => {
    const page = await callHttp(gateway.url, '/docs/errors');
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    const { type, code } = JSON.parse((await callHttp(gateway.url, '/docs/nothing.js')).text);
    expect([type, code]).toEqual(['/docs/errors#not_found', 'not_found']);
    for (const each of Object.keys(ERROR_CODES)) expect(page.text).toContain(`<section id="${each}">`);
    expect(page.text).not.toContain('`');
  });

  it.each([
    ['/docs', 404, 'not_found'],
    ['/docs/nothing.js', 404, 'not_found'],
    ['/llms.txt', 404, 'not_found'],
    ['/docs/try/%ff', 404, 'not_found'],
    ['/docs/../package.json', 404, 'not_found'],
    ['/docs/%2e%2e/%2e%2e/package.json', 404, 'not_found'],
    ['/docs/try/.npmrc', 404, 'not_found'],
    ['/docs/try/index.html', 404, 'not_found'],
    ['/docs/try/package.json', 404, 'not_found'],
    ['/docs/try/swagger-ui-bundle.js.map', 404, 'not_found'],
    ['/docs/try/swagger-ui.css.map', 404, 'not_found'],
    ['/docs/try/swagger-initializer.js', 404, 'not_found'],
    ['/docs/try/oauth2-redirect.html', 404, 'not_found'],
    ['/', 404, 'not_found'],
    ['/favicon.png', 404, 'not_found'],
  ])('%s is an error in the shape of all others', async (path, status, code) => {
    const answer = await callHttp(gateway.url, path);
    expect(JSON.parse(answer.text)).toMatchObject({ status, code, request_id: answer.headers['x-request-id'] });
    expect(answer.status).toBe(status);
  });

  it('/console explains to a browser that it is not installed, and is an error for programs', async () => {
    const page = await callHttp(gateway.url, '/console', { headers: { accept: 'text/html' } });
    expect({ status: page.status, type: page.headers['content-type'] }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
    });
    expect(page.text).toContain('CAIRN_CONSOLE_DIR');
    expect(JSON.parse((await callHttp(gateway.url, '/console/documents')).text)).toMatchObject({ code: 'not_found' });
  });

  it('/docs explains to a browser that it is not here yet, and is an error for programs', async () => {
    const page = await callHttp(gateway.url, '/docs', { headers: { accept: 'text/html' } });
    expect({ status: page.status, type: page.headers['content-type'] }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
    });
    expect(page.text).toContain('CAIRN_DOCS_DIR');
  });

  it('none of them accepts anything but GET and HEAD', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/try']) {
      expect((await callHttp(gateway.url, path, { method: 'POST' })).status).toBe(404);
    }
  });
});

describe('/readyz', () => {
  it('is 200 when every service is ready, else 503 naming those that are not; many questions ask the services once', async () => {
    expect((await callHttp(gateway.url, '/readyz')).status).toBe(200);
    gateway.services.memory.handle((_request, response) => response.writeHead(503).end());
    let last = await callHttp(gateway.url, '/readyz');
    await eventually(async () => {
      last = await callHttp(gateway.url, '/readyz');
      return last.status === 503;
    });
    expect(JSON.parse(last.text)).toMatchObject({ code: 'unavailable', detail: 'Not ready: memory.' });
    expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const before = gateway.services.memory.seen.length;
    await Promise.all(Array.from({ length: 50 }, () => callHttp(gateway.url, '/readyz')));
    expect(gateway.services.memory.seen.length - before).toBeLessThanOrEqual(2);
  });
});

describe('the gateway does not start', () => {
  const start = (config: Partial<Config>) =>
    startGateway(
      { memoryDomain: 'mem.test', signingKeyFile: '/nowhere.json', jwksFile: '/nowhere.json', ...config } as Config,
      createLogger('gateway', 'silent'),
    );

  it('when its base address would be taken for that of a memory', async () => {
    await expect(start({ baseUrl: 'https://api.MEM.test:8443' })).rejects.toThrow(/CAIRN_BASE_URL/);
  });

  it('without its keys, and names the file', async () => {
    await expect(start({ baseUrl: 'https://mem.test' })).rejects.toThrow(/nowhere\.json/);
  });

  it('before an upstream that it could not speak to', () => {
    const good = Object.fromEntries(
      Object.values(variables).map(({ name }) => [
        name,
        name.endsWith('_HTTP') ? 'http://127.0.0.1:1' : /_GRPC$|FILE/.test(name) ? 'x' : undefined,
      ]),
    );
    expect(parseConfig(variables, good)).toMatchObject({ keysHttp: 'http://127.0.0.1:1', trustedProxies: 0 });
    for (const url of ['ftp://a.test', 'a.test:80']) {
      expect(() => parseConfig(variables, { ...good, CAIRN_MEMORY_HTTP: url })).toThrow(/CAIRN_MEMORY_HTTP/);
    }
  });
});
