import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bypassesProxy, parseNoProxy } from '../src/no-proxy.ts';
import { createOutbound, createOutboundClients, type Outbound, type OutboundError } from '../src/index.ts';
import { type ForwardProxy, forwardProxy, httpServer, type RunningServer } from './servers.ts';

let server: RunningServer;
let proxy: ForwardProxy;
const open: Pick<Outbound, 'close'>[] = [];
const seen: { path: string | undefined; apiKey: unknown }[] = [];

beforeAll(async () => {
  server = await httpServer((request, response) => {
    seen.push({ path: request.url, apiKey: request.headers['x-api-key'] });
    if (request.url === '/elsewhere') response.writeHead(307, { location: '/answer' }).end();
    else if (request.url === '/endless') {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    } else response.end('answered');
  });
  proxy = await forwardProxy(() => server.port);
});
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const configOf = (more: object = {}) => ({
  allowPrivateNetwork: false,
  outboundProxy: `http://127.0.0.1:${proxy.port}`,
  outboundNoProxy: [],
  outboundCertificatesFile: undefined,
  ...more,
});

async function clientsOf(more: object = {}) {
  const clients = await createOutboundClients(configOf(more), 'spec', { warn: () => undefined });
  open.push(clients);
  return clients;
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  let at: unknown = await work.then(
    () => new Error('it was answered'),
    (error: unknown) => error,
  );
  for (; at instanceof Error; at = at.cause)
    if ('code' in at && at.name === 'OutboundError') return (at as OutboundError).code;
  return 'no refusal';
}

describe('the clients of a service', () => {
  it('send what the operator configured through the proxy, private or not, by request and by fetch', async () => {
    const { trusted } = await clientsOf();
    const count = proxy.asked.length;
    const url = `http://127.0.0.1:${server.port}/answer`;
    expect(await (await trusted.fetch(url)).text()).toBe('answered');
    expect((await trusted.request(url, { timeoutMs: 5_000, bodyMaxBytes: 100 })).body.toString()).toBe('answered');
    expect(proxy.asked.slice(count)).toContain(`127.0.0.1:${server.port}`);
    expect(proxy.connections()).toBeGreaterThan(0);
  });

  it('ask the proxy for nothing when a tenant names a private address', async () => {
    const { untrusted } = await clientsOf();
    const count = proxy.asked.length;
    const url = `http://127.0.0.1:${server.port}/answer`;
    expect(await refusalOf(untrusted.fetch(url))).toBe('address_refused');
    expect(await refusalOf(untrusted.fetch('http://169.254.169.254/latest/meta-data'))).toBe('address_refused');
    expect(proxy.asked).toHaveLength(count);
  });

  it('reach hosts of the no-proxy list directly, and only those that the operator configured', async () => {
    const outboundNoProxy = [...(parseNoProxy('127.0.0.0/8') as { entries: [] }).entries];
    const { trusted, untrusted } = await clientsOf({ outboundNoProxy, allowPrivateNetwork: true });
    const count = proxy.asked.length;
    const url = `http://127.0.0.1:${server.port}/answer`;
    expect(await (await trusted.fetch(url)).text()).toBe('answered');
    expect(proxy.asked).toHaveLength(count);
    expect(await (await untrusted.fetch(url)).text()).toBe('answered');
    expect(proxy.asked).toHaveLength(count + 1);
  });

  it.each(['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'http://100.100.100.200/'])(
    'refuse %s even when the operator configured it',
    async (url) => {
      const { trusted } = await clientsOf();
      expect(await refusalOf(trusted.fetch(url))).toBe('address_refused');
    },
  );
});

describe('fetch through the outlet', () => {
  const direct = () => {
    const client = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec' });
    open.push(client);
    return client;
  };

  it('follows no redirect, because a key in a header would go along', async () => {
    const count = seen.length;
    const url = `http://127.0.0.1:${server.port}/elsewhere`;
    await expect(direct().fetch(url, { headers: { 'x-api-key': 'k' } })).rejects.toThrow();
    expect(seen.slice(count).map(({ path }) => path)).toEqual(['/elsewhere']);
  });

  it('ends a body that has no end', async () => {
    const response = await direct().fetch(`http://127.0.0.1:${server.port}/endless`);
    await expect(response.arrayBuffer()).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it('stops with its signal', async () => {
    const given = new AbortController();
    const response = await direct().fetch(`http://127.0.0.1:${server.port}/endless`, { signal: given.signal });
    given.abort(new Error('enough'));
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it.each(['file:///etc/passwd', 'data:text/plain,x', 'ftp://example.org/', 'http://user:pass@example.org/'])(
    'refuses %s',
    async (url) => {
      expect(['scheme_refused', 'user_info_refused']).toContain(await refusalOf(direct().fetch(url)));
    },
  );
});

describe('the no-proxy list', () => {
  const matches = (list: string, host: string, ...addresses: string[]) => {
    const parsed = parseNoProxy(list);
    if ('problem' in parsed) throw new Error(parsed.problem);
    return bypassesProxy(parsed.entries, host, addresses);
  };

  it.each([
    ['models.internal', 'models.internal', true],
    ['models.internal', 'gpu.models.internal', true],
    ['.models.internal', 'gpu.models.internal', true],
    ['*.models.internal', 'MODELS.internal.', true],
    ['models.internal', 'notmodels.internal', false],
    ['models.internal', 'models.internal.evil.example', false],
    ['localhost, 10.0.0.0/8', 'localhost', true],
  ])('%s, asked for %s: %s', (list, host, expected) => {
    expect(matches(list, host, '93.184.216.34')).toBe(expected);
  });

  it('matches an address or a range only when every address of the name is in it', () => {
    expect(matches('10.0.0.0/8,fd00::/8', 'gpu.example', '10.1.2.3', 'fd00::1')).toBe(true);
    expect(matches('10.0.0.0/8', 'gpu.example', '10.1.2.3', '93.184.216.34')).toBe(false);
    expect(matches('10.1.2.3', '10.1.2.3', '10.1.2.3')).toBe(true);
    expect(matches('10.0.0.0/8', 'nowhere.example')).toBe(false);
  });

  it.each(['10.0.0.0/99', 'http://proxy', 'a b', '*'])('is refused with %j in it', (entry) => {
    expect(parseNoProxy(entry)).toHaveProperty('problem');
  });
});
