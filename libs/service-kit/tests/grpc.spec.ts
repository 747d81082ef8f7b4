import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { KeysOperatorService, KeysService } from '@cairn/contracts';
import { CairnError, ERROR_CODES, type ErrorCode } from '@cairn/errors';
import { createTokenSigner, createTokenVerifier, generateSigningKey, type TokenVerifier } from '@cairn/identity';
import { createTestIdentities, eventually, type TestIdentities, testIdentity } from '@cairn/testing';
import {
  listenGrpc,
  readIdentityKeys,
  requireService,
  rpc,
  rpcClient,
  type RpcClient,
  type RpcContext,
} from '../src/index.ts';
import { collectingLogger } from './sample-service.ts';

type Server = Awaited<ReturnType<typeof listenGrpc>>;
type Resolve = (request: { sha256: Uint8Array }, context: RpcContext) => Promise<object>;

let identities: TestIdentities;
let verifier: TokenVerifier;
let server: Server;
let client: RpcClient<typeof KeysService>;
let resolve: Resolve;
const logged: string[] = [];
const CREDENTIAL = {
  result: { case: 'credential' as const, value: { keyId: 'key_1', scopes: ['a', 'b'], livemode: true } },
};
const REQUEST = { sha256: Buffer.from([1, 2, 3]) };

/** A server with one method that does what `resolve` says. */
function listen(port = 0): Promise<Server> {
  const service = rpc(KeysService, {
    resolve: (request, context) => resolve(request, context),
    renewLease: async () => ({}),
    reportUsage: async () => ({}),
  });
  return listenGrpc([service], { host: '127.0.0.1', port }, verifier, collectingLogger(logged));
}

function standStill(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

const connectTo = (address: string, token = identities.serviceTokens('gateway')) =>
  rpcClient(KeysService, address, token);

beforeAll(async () => {
  identities = await createTestIdentities();
  const { keys } = JSON.parse(await readFile(identities.jwksFile, 'utf8')) as { keys: [] };
  verifier = await createTokenVerifier(keys);
  server = await listen();
  client = connectTo(server.address);
});
afterAll(async () => {
  client.close();
  await server.close();
  await identities.remove();
});
beforeEach(() => {
  resolve = async () => CREDENTIAL;
  logged.length = 0;
});

describe('a call', () => {
  it('carries the request there and the answer back', async () => {
    const seen: unknown[] = [];
    resolve = async (request, { caller }) => {
      seen.push([...request.sha256], caller);
      return CREDENTIAL;
    };
    expect(await client.resolve(REQUEST)).toMatchObject(CREDENTIAL);
    expect(seen).toEqual([[1, 2, 3], { kind: 'service', service: expect.objectContaining({ service: 'gateway' }) }]);
  });

  it('is made on behalf of a caller when it brings the token that the calling service was sent', async () => {
    const identity = testIdentity();
    let tenantId = '';
    resolve = async (_request, { caller }) => {
      tenantId = caller.kind === 'tenant' ? caller.identity.tenantId : '';
      return CREDENTIAL;
    };
    const memory = connectTo(server.address, identities.serviceTokens('memory'));
    await memory.resolve(REQUEST, { onBehalfOf: await identities.token(identity, 'memory') });
    memory.close();
    expect(tenantId).toBe(identity.tenantId);
  });

  it('runs beside others on one channel', async () => {
    let open = 0;
    let most = 0;
    resolve = async () => {
      most = Math.max(most, ++open);
      await eventually(() => most === 50);
      open -= 1;
      return CREDENTIAL;
    };
    await Promise.all(Array.from({ length: 50 }, () => client.resolve(REQUEST)));
    expect(most).toBe(50);
  });
});

describe('an error', () => {
  it.each(Object.keys(ERROR_CODES).filter((code) => code !== 'internal') as ErrorCode[])(
    '%s comes across with its text',
    async (code) => {
      resolve = () => Promise.reject(new CairnError(code, 'Why, in public.', { internal: 'hunter2' }));
      const failure = await client.resolve(REQUEST).catch((error: CairnError) => error);
      expect(failure).toMatchObject({ code, message: 'Why, in public.' });
      expect(JSON.stringify((failure as CairnError).internal)).not.toContain('hunter2');
    },
  );

  it('that is not ours comes across as internal without its text, which the log has', async () => {
    resolve = () => Promise.reject(new Error('hunter2'));
    const failure = await client.resolve(REQUEST).catch((error: CairnError) => error);
    expect(failure).toMatchObject({ code: 'internal' });
    expect(`${String(failure)} ${(failure as CairnError).internal}`).not.toContain('hunter2');
    expect(logged.join('')).toContain('hunter2');
  });
});

describe('a caller', () => {
  const RESOLVE = '/cairn.keys.v1.KeysService/Resolve';
  const forged = async () =>
    (await createTokenSigner((await generateSigningKey('gateway')).privateJwk)).signService(
      { service: 'gateway', admitUntilMs: Date.now() + 5_000 },
      RESOLVE,
    );

  it.each<[string, () => Promise<string>]>([
    ['without a token', async () => ''],
    ['with a forged token', forged],
    [
      'with a token for another method',
      () => identities.serviceTokens('gateway')('/cairn.keys.v1.KeysService/RenewLease'),
    ],
    ['with a token for the service over HTTP', () => identities.serviceTokens('gateway')('keys')],
    ['with a tenant’s token', () => identities.token(testIdentity(), 'keys')],
    ['with a tenant’s token for this method', () => identities.token(testIdentity(), RESOLVE as never)],
  ])('%s is refused with identity_invalid before the handler', async (_what, token) => {
    resolve = () => Promise.reject(new Error('was called'));
    const stranger = connectTo(server.address, token);
    await expect(stranger.resolve(REQUEST)).rejects.toMatchObject({ code: 'identity_invalid' });
    stranger.close();
  });

  it('whose token came too late is told that the service is unavailable', async () => {
    const { signer } = await readIdentityKeys({
      signingKeyFile: identities.signingKeyFile('gateway'),
      jwksFile: identities.jwksFile,
    });
    const late = connectTo(server.address, (audience) =>
      signer.signService({ service: 'gateway', admitUntilMs: Date.now() - 1 }, audience),
    );
    await expect(late.resolve(REQUEST)).rejects.toMatchObject({ code: 'unavailable' });
    late.close();
  });

  it('may not forward an identity that another service was sent, or that is not a token, or is too old', async () => {
    resolve = () => Promise.reject(new Error('was called'));
    const memory = connectTo(server.address, identities.serviceTokens('memory'));
    const quarterOfAnHourAgo = testIdentity({ admitUntilMs: Date.now() - 15 * 60_000 });
    for (const [onBehalfOf, code] of [
      [await identities.token(testIdentity(), 'usage'), 'identity_invalid'],
      [await identities.serviceTokens('gateway')('memory'), 'identity_invalid'],
      ['', 'identity_invalid'],
      [await identities.token(quarterOfAnHourAgo, 'memory'), 'unavailable'],
    ] as const)
      await expect(memory.resolve(REQUEST, { onBehalfOf })).rejects.toMatchObject({ code });
    memory.close();
  });

  it('may pass on an identity whose time ended while the service was at work on its request', async () => {
    const memory = connectTo(server.address, identities.serviceTokens('memory'));
    const minutesAgo = testIdentity({ admitUntilMs: Date.now() - 9 * 60_000 });
    const onBehalfOf = await identities.token(minutesAgo, 'memory');
    await expect(memory.resolve(REQUEST, { onBehalfOf })).resolves.toBeDefined();
    memory.close();
  });

  it('is let through by requireService only as the service that is named, and in its own name', async () => {
    resolve = async (_request, context) => {
      requireService(context, 'gateway');
      return CREDENTIAL;
    };
    await expect(client.resolve(REQUEST)).resolves.toBeDefined();
    const memory = connectTo(server.address, identities.serviceTokens('memory'));
    for (const options of [{}, { onBehalfOf: await identities.token(testIdentity(), 'memory') }])
      await expect(memory.resolve(REQUEST, options)).rejects.toMatchObject({ code: 'permission_denied' });
    memory.close();
  });
});

describe('a call that takes too long', () => {
  it('is unavailable for who asked, and its signal aborts for who works', async () => {
    let aborted = false;
    resolve = (_request, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason as Error);
        }),
      );
    await expect(client.resolve(REQUEST, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => aborted);
  });

  it('and is given up by who asked ends with that reason, and the server’s signal aborts', async () => {
    const giveUp = new AbortController();
    const reason = new DOMException('The client is gone.', 'AbortError');
    let aborted = false;
    resolve = (_request, { signal }) => {
      giveUp.abort(reason);
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('stopped'));
        }),
      );
    };
    await expect(client.resolve(REQUEST, { signal: giveUp.signal })).rejects.toBe(reason);
    await eventually(() => aborted);
  });

  it('is not one that was answered while the event loop of the caller stood still', async () => {
    await client.resolve(REQUEST);
    const called = client.resolve(REQUEST, { timeoutMs: 200 });
    setImmediate(() => standStill(500));
    expect(await called).toMatchObject(CREDENTIAL);
  });

  it('is not even begun when it was given up before, or while its token was made', async () => {
    let called = false;
    resolve = async () => {
      called = true;
      return CREDENTIAL;
    };
    const before = AbortSignal.abort(new Error('before'));
    await expect(client.resolve(REQUEST, { signal: before })).rejects.toThrow('before');
    const giveUp = new AbortController();
    const slow = connectTo(server.address, async (audience) => {
      giveUp.abort(new Error('meanwhile'));
      return identities.serviceTokens('gateway')(audience);
    });
    await expect(slow.resolve(REQUEST, { signal: giveUp.signal })).rejects.toThrow('meanwhile');
    expect(called).toBe(false);
    slow.close();
  });
});

describe('a server', () => {
  it('that is away is unavailable in bounded time, and used again once it is back', async () => {
    const first = await listen();
    const port = Number(first.address.split(':')[1]);
    const own = connectTo(first.address);
    await own.resolve(REQUEST);
    await first.close();
    await expect(own.resolve(REQUEST, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'unavailable' });
    const second = await listen(port);
    await eventually(() => own.resolve(REQUEST, { timeoutMs: 500 }));
    own.close();
    await second.close();
  });

  it('without the asked service says internal, not its own details', async () => {
    const other = rpcClient(KeysOperatorService, server.address, identities.serviceTokens('operator'));
    await expect(other.mintKey({ name: 'x' })).rejects.toMatchObject({
      code: 'internal',
      message: 'A call inside the service failed.',
    });
    other.close();
  });

  it('takes no message over four mebibytes', async () => {
    await expect(client.resolve({ sha256: Buffer.alloc(4 * 1_048_576 + 1) })).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it('that closes lets the call in hand end', async () => {
    const own = await listen();
    const caller = connectTo(own.address);
    let release = () => {};
    let begun = false;
    resolve = async () => {
      begun = true;
      await new Promise<void>((done) => (release = done));
      return CREDENTIAL;
    };
    const call = caller.resolve(REQUEST);
    await eventually(() => begun);
    const closed = own.close();
    release();
    expect(await call).toMatchObject(CREDENTIAL);
    caller.close();
    await closed;
  });

  it('listens on IPv6 too', async () => {
    const service = rpc(KeysService, {
      resolve: async () => CREDENTIAL,
      renewLease: async () => ({}),
      reportUsage: async () => ({}),
    });
    const own = await listenGrpc([service], { host: '::1', port: 0 }, verifier, collectingLogger(logged));
    expect(own.address).toMatch(/^\[::1\]:\d+$/);
    const caller = connectTo(own.address);
    expect(await caller.resolve(REQUEST)).toMatchObject(CREDENTIAL);
    caller.close();
    await own.close();
  });

  it('whose port is taken does not start', async () => {
    // grpc-js says it on the console too.
    const quiet = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(listen(Number(server.address.split(':')[1]))).rejects.toThrow(/EADDRINUSE|address already in use/);
    quiet.mockRestore();
  });
});
