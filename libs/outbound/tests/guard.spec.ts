import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOutbound, type Outbound, type OutboundOptions } from '../src/index.ts';
import { DISGUISED_HOSTS, REFUSED_ADDRESSES } from './refused-addresses.ts';
import { type ForwardProxy, forwardProxy, httpServer, type RunningServer } from './servers.ts';

const ALL_REFUSED = Object.values(REFUSED_ADDRESSES).flat();
const PUBLIC = '93.184.216.34';
const BOUNDS = { timeoutMs: 20_000, bodyMaxBytes: 10_000 };

let inside: RunningServer;
let proxy: ForwardProxy;
const open: Outbound[] = [];

beforeAll(async () => {
  inside = await httpServer((_request, response) => response.end('a secret of the inside'));
});
beforeEach(async () => {
  proxy = await forwardProxy(() => inside.port);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((outbound) => outbound.close()));
  await proxy.close();
});
afterAll(() => inside.close());

function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  const made = createOutbound({ allowPrivateNetwork: false, userAgent: 'spec', ...options });
  open.push(made);
  return made;
}

/** A name server that gives its answers one after another, the last one for ever; counts the questions. */
function answering(...answers: string[][]) {
  const resolve = async () => answers[Math.min(resolve.questions++, answers.length - 1)]!;
  resolve.questions = 0;
  return resolve;
}

describe.each([
  ['without a proxy', () => ({})],
  ['with a proxy', () => ({ proxyUrl: `http://127.0.0.1:${proxy.port}` })],
])('%s', (_how, how) => {
  let before: number;
  beforeEach(() => {
    before = inside.connections();
  });
  const nothingWasDialled = () => {
    expect(inside.connections()).toBe(before);
    expect(proxy.asked).toEqual([]);
  };

  it.each(DISGUISED_HOSTS)('the host %s is refused for good', async (host) => {
    await expect(outbound(how()).request(`http://${host}:${inside.port}/`, BOUNDS)).rejects.toMatchObject({
      code: expect.stringMatching(/^(address_refused|url_invalid)$/),
      retryable: false,
    });
    nothingWasDialled();
  });

  it.each(ALL_REFUSED.filter((address) => !address.includes('%')))(
    'a name that means %s is refused for good',
    async (address) => {
      const refused = outbound({ ...how(), resolve: answering([address]) }).request(
        `http://name.example:${inside.port}/`,
        BOUNDS,
      );
      await expect(refused).rejects.toMatchObject({ code: 'address_refused', retryable: false });
      nothingWasDialled();
    },
  );

  it('a name with one address outside and one inside is refused', async () => {
    for (const answer of [
      [PUBLIC, '127.0.0.1'],
      ['127.0.0.1', PUBLIC],
    ]) {
      const refused = outbound({ ...how(), resolve: answering(answer) }).request(
        `http://name.example:${inside.port}/`,
        BOUNDS,
      );
      await expect(refused).rejects.toMatchObject({ code: 'address_refused' });
    }
    nothingWasDialled();
  });

  it('the refusal does not tell which address the name has', async () => {
    const refused = outbound({ ...how(), resolve: answering(['10.20.30.40']) }).request('http://name.example/', BOUNDS);
    await expect(refused).rejects.toThrow(expect.not.stringContaining('10.20'));
  });

  it.each(['file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org/', 'javascript:alert(1)', 'data:,x'])(
    'only http and https are asked, not %s',
    async (url) => {
      await expect(outbound(how()).request(url, BOUNDS)).rejects.toMatchObject({ code: 'scheme_refused' });
    },
  );

  it.each([
    'http://user@example.org/',
    'http://user:password@example.org/',
    'http://:password@example.org/',
    'http://example.org@127.0.0.1/',
  ])('user information in a URL is refused: %s', async (url) => {
    await expect(outbound(how()).request(url, BOUNDS)).rejects.toMatchObject({ code: 'user_info_refused' });
    nothingWasDialled();
  });
});

describe('a name that changes its address between check and connection', () => {
  it('is connected to at the address that was checked, and resolved once', async () => {
    const checked = await httpServer((_request, response) => response.end('checked'), '127.0.0.2');
    try {
      const resolve = answering(['127.0.0.2'], ['127.0.0.1']);
      const before = inside.connections();
      const answer = await outbound({ allowPrivateNetwork: true, resolve }).request(
        `http://rebinding.example:${checked.port}/`,
        BOUNDS,
      );
      expect(answer.body.toString()).toBe('checked');
      expect(resolve.questions).toBe(1);
      expect(inside.connections()).toBe(before);
    } finally {
      await checked.close();
    }
  });

  it('is asked of a proxy by the address that was checked, so that the proxy does not resolve it again', async () => {
    const resolve = answering([PUBLIC], ['127.0.0.1']);
    const answer = await outbound({ resolve, proxyUrl: `http://127.0.0.1:${proxy.port}` }).request(
      'http://rebinding.example:8080/',
      BOUNDS,
    );
    expect(answer.status).toBe(200);
    expect(proxy.asked).toEqual([`${PUBLIC}:8080`]);
    expect(resolve.questions).toBe(1);
  });

  it('is refused at the next connection, when its address has become a private one', async () => {
    const resolve = answering([PUBLIC], ['127.0.0.1']);
    const through = outbound({ resolve, proxyUrl: `http://127.0.0.1:${proxy.port}` });
    await through.request('http://rebinding.example:8080/', { ...BOUNDS, headers: { connection: 'close' } });
    await expect(through.request('http://rebinding.example:8081/', BOUNDS)).rejects.toMatchObject({
      code: 'address_refused',
    });
    expect(proxy.asked).toHaveLength(1);
  });
});

describe('a redirect', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://0x7f.1:PORT/',
    '//2130706433:PORT/',
    'http://localhost:PORT/',
    'http://inside.example:PORT/',
  ])('to %s is judged like a first request', async (location) => {
    const outside = await httpServer((_request, response) =>
      response.writeHead(302, { location: location.replace('PORT', String(inside.port)) }).end(),
    );
    try {
      const leading = await forwardProxy(() => outside.port);
      const resolve = async (host: string) => (host === 'inside.example' ? ['127.0.0.1'] : [PUBLIC]);
      const before = inside.connections();
      const followed = outbound({ resolve, proxyUrl: `http://127.0.0.1:${leading.port}` }).request(
        'http://outside.example/',
        { ...BOUNDS, redirectsMax: 5 },
      );
      await expect(followed).rejects.toMatchObject({ code: 'address_refused', retryable: false });
      expect(leading.asked).toEqual([`${PUBLIC}:80`]);
      expect(inside.connections()).toBe(before);
      await leading.close();
    } finally {
      await outside.close();
    }
  });

  it('to another scheme or with user information is refused', async () => {
    for (const [location, code] of [
      ['file:///etc/passwd', 'scheme_refused'],
      ['http://user@outside.example/', 'user_info_refused'],
      ['http://[', 'url_invalid'],
    ]) {
      const outside = await httpServer((_request, response) => response.writeHead(307, { location }).end());
      const leading = await forwardProxy(() => outside.port);
      const followed = outbound({ resolve: answering([PUBLIC]), proxyUrl: `http://127.0.0.1:${leading.port}` }).request(
        'http://outside.example/',
        { ...BOUNDS, redirectsMax: 5 },
      );
      await expect(followed).rejects.toMatchObject({ code });
      await leading.close();
      await outside.close();
    }
  });
});

describe('a proxy', () => {
  it('is shown the credentials of its URL, and never shows them to the host', async () => {
    let seen: unknown;
    const host = await httpServer((request, response) => {
      seen = request.headers;
      response.end();
    });
    const leading = await forwardProxy(() => host.port);
    await outbound({ resolve: answering([PUBLIC]), proxyUrl: `http://user:p%40ss@127.0.0.1:${leading.port}` }).request(
      'http://name.example/',
      BOUNDS,
    );
    expect(leading.authorizations).toEqual([`Basic ${Buffer.from('user:p@ss').toString('base64')}`]);
    expect(seen).not.toHaveProperty('proxy-authorization');
    await leading.close();
    await host.close();
  });

  it('that is away or refuses is a failure that may pass', async () => {
    const refusing = await httpServer((_request, response) => response.writeHead(403).end());
    const gone = refusing.port;
    await refusing.close();
    await expect(
      outbound({ resolve: answering([PUBLIC]), proxyUrl: `http://127.0.0.1:${gone}` }).request(
        'http://name.example/',
        BOUNDS,
      ),
    ).rejects.toMatchObject({ code: 'proxy_failed', retryable: true });
  });
});

describe('in development', () => {
  it('this machine is asked, by address and by name', async () => {
    const local = outbound({ allowPrivateNetwork: true });
    for (const host of ['127.0.0.1', 'localhost', '2130706433'])
      expect((await local.request(`http://${host}:${inside.port}/`, BOUNDS)).status).toBe(200);
  });

  it('a metadata service is refused all the same', async () => {
    await expect(
      outbound({ allowPrivateNetwork: true, resolve: answering(['169.254.169.254']) }).request(
        'http://name.example/',
        BOUNDS,
      ),
    ).rejects.toMatchObject({ code: 'address_refused' });
  });
});

describe('check', () => {
  it('judges a URL without asking a name server, and checkAddresses with', async () => {
    const resolve = answering(['10.0.0.1']);
    const judging = outbound({ resolve });
    expect(judging.check('https://Name.example/x').href).toBe('https://name.example/x');
    expect(resolve.questions).toBe(0);
    await expect(judging.checkAddresses('https://name.example/')).rejects.toMatchObject({ code: 'address_refused' });
  });
});

const METADATA_NAMES = [
  'metadata.google.internal',
  'METADATA.google.internal',
  'metadata.google.internal.',
  'metadata.google.internal..',
  'v1.metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
  'instance-data',
  'metadata',
];
const PRIVATE_NAMES = [
  'ip-10-0-0-1.eu-west-1.compute.internal',
  'postgres.default.svc.cluster.local',
  'printer.local',
  'nas.home.arpa',
  'router.lan',
  'wiki.corp',
  'localhost.localdomain',
  '1.0.0.127.in-addr.arpa',
  'app.localhost',
  'app.test',
  'hidden.onion',
  'postgres',
  'kubernetes',
  '%70ostgres',
];
const PUBLIC_NAMES = ['hooks.example', 'metadata.example.com', 'internal.example.com', 'local.example.org', 'lan.dev'];

describe('a name', () => {
  const check = (host: string, allowPrivateNetwork: boolean) => () =>
    outbound({ allowPrivateNetwork }).check(`https://${host}/`);

  it.each([...METADATA_NAMES, ...PRIVATE_NAMES])('%s is refused without asking a name server', (host) => {
    expect(check(host, false)).toThrow(/a private network, which requests may not go to/);
  });

  it.each(METADATA_NAMES)('%s is refused even where private networks are allowed', (host) => {
    expect(check(host, true)).toThrow(/a private network, which requests may not go to/);
  });

  it.each(PRIVATE_NAMES)('%s is accepted where private networks are allowed', (host) => {
    expect(check(host, true)).not.toThrow();
  });

  it.each(PUBLIC_NAMES)('%s is accepted, because only its last part says where it belongs', (host) => {
    expect(check(host, false)).not.toThrow();
  });
});
