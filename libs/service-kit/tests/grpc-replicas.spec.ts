import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { KeysService } from '@cairn/contracts';
import { createTokenVerifier, type TokenVerifier } from '@cairn/identity';
import { createTestIdentities, eventually, listenOnLoopback, type TestIdentities } from '@cairn/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenGrpc, rpc, rpcClient, type RpcClient } from '../src/index.ts';
import { collectingLogger } from './sample-service.ts';
import { type ReplicaProcess, startReplicaProcess } from './replica-processes.ts';

let identities: TestIdentities;
let verifier: TokenVerifier;
let client: RpcClient<typeof KeysService>;
let replicas: Awaited<ReturnType<typeof listenGrpc>>[];
let processes: ReplicaProcess[];
const REQUEST = { sha256: Buffer.from([1, 2, 3]) };

beforeEach(async () => {
  identities = await createTestIdentities();
  const { keys } = JSON.parse(await readFile(identities.jwksFile, 'utf8')) as { keys: [] };
  verifier = await createTokenVerifier(keys);
  replicas = [];
  processes = [];
});
afterEach(async () => {
  client.close();
  await Promise.all(replicas.map((replica) => replica.close()));
  await Promise.all(processes.map((each) => each.kill9()));
  await identities.remove();
});

async function listen(keyId: string, port = 0): Promise<string> {
  const service = rpc(KeysService, {
    resolve: async () => ({ result: { case: 'credential' as const, value: { keyId } } }),
    renewLease: async () => ({}),
    reportUsage: async () => ({}),
  });
  const replica = await listenGrpc([service], { host: '127.0.0.1', port }, verifier, collectingLogger([]));
  replicas.push(replica);
  return replica.address;
}

const connectTo = (target: string) => rpcClient(KeysService, target, identities.serviceTokens('gateway'));

async function answerer(): Promise<string> {
  const { result } = await client.resolve(REQUEST);
  return result.case === 'credential' ? result.value.keyId : '';
}

/** Who answered how many of the next calls. */
async function answers(count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let n = 0; n < count; n += 1) {
    const keyId = await answerer();
    counts[keyId] = (counts[keyId] ?? 0) + 1;
  }
  return counts;
}

describe('calls to several replicas', () => {
  it('are spread evenly', async () => {
    client = connectTo(`${await listen('one')},${await listen('two')}`);
    await eventually(async () => (await answerer()) === 'two');
    expect(await answers(20)).toEqual({ one: 10, two: 10 });
  });

  it('reach a replica that starts later', async () => {
    const later = await listen('later');
    await replicas.pop()!.close();
    client = connectTo(`${await listen('one')},${later}`);
    expect(await answers(5)).toEqual({ one: 5 });
    await listen('later', Number(later.split(':')[1]));
    await eventually(async () => (await answers(10))['later'] === 5);
  });

  it('go on when the connection that was being made was never answered, as when the network fails at that moment', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      // Taken and never answered; the peer has nothing left to send that could time out.
      sockets.push(socket);
    });
    const port = await listenOnLoopback(silent);
    client = connectTo(`127.0.0.1:${port}`);
    await expect(client.resolve(REQUEST, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'unavailable' });
    silent.close();
    await listen('again', port);
    const answered = () =>
      client.resolve(REQUEST, { timeoutMs: 500 }).then(
        () => true,
        () => false,
      );
    await eventually(answered, (isAnswered) => isAnswered, 10_000);
    sockets.forEach((socket) => socket.destroy());
  });

  it('leave a replica that is killed, and none that may be repeated fails', async () => {
    const port = async () => {
      processes.push(await startReplicaProcess(identities));
      return processes.at(-1)!.address;
    };
    client = connectTo(`${await port()},${await port()}`);
    await answers(10);
    const failures: unknown[] = [];
    let calling = true;
    const callers = Array.from({ length: 8 }, async () => {
      while (calling) await answerer().catch((error: unknown) => failures.push(error));
    });
    await sleep(200);
    await processes[0]!.kill9();
    await sleep(500);
    calling = false;
    await Promise.all(callers);
    expect(failures).toEqual([]);
  });
});

describe('an address that is not one', () => {
  it('is refused when the client is made', () => {
    client = connectTo('127.0.0.1:1');
    expect(() => connectTo('http://keys:7000')).toThrow('it is written host:port');
  });
});
