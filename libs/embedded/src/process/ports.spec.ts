import { jest, afterAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { asRoot, cleanUp, NOBODY, temporaryFolder, track, PATIENCE_MS } from '../../tests/harness.ts';
import { describePortOwner, findFreePort, reservePort } from '../index.ts';
import { choosePort, storePort } from './ports.ts';

jest.setTimeout(PATIENCE_MS);

const describeAsRoot = asRoot ? describe : describe.skip;
afterAll(cleanUp);

describe('describePortOwner', () => {
  it.each(['127.0.0.1', '::'])('names the process that listens on %s', async (host) => {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await describePortOwner(port)).toBe(`node (pid ${process.pid})`);
    server.close();
  });

  it('is null for a port that nobody listens on', async () => {
    expect(await describePortOwner(await findFreePort())).toBeNull();
  });
});

describe('findFreePort', () => {
  it('finds ports that the system gives to no connection, each another', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, findFreePort));
    expect(ports.filter((port) => port >= 32_768)).toEqual([]);
    expect(new Set(ports).size).toBe(20);
  });

  it('finds none that is reserved for a server that does not listen yet', async () => {
    const port = await findFreePort();
    const following = [1, 2, 3].map((step) => port + step);
    for (const each of following) reservePort(each);
    expect(following).not.toContain(await findFreePort());
  });
});

describeAsRoot('describePortOwner for an ordinary user', () => {
  it('still tells that a process of another user has the port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const script = `process.setgid(${NOBODY.gid}); process.setuid(${NOBODY.uid});
      const { describePortOwner } = await import(${JSON.stringify(new URL('./port-owner.ts', import.meta.url).href)});
      process.stdout.write(await describePortOwner(${port}));`;
    // The module is loaded before the rights are dropped, because the checkout may be closed to others.
    const [firstLine, ...rest] = script.split('\n');
    const ordered = [rest[0], firstLine, ...rest.slice(1)].join('\n');
    const child = await track(
      spawn(process.execPath, ['--input-type=module', '-e', ordered], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const [answer] = await once(child.stdout, 'data');
    expect(String(answer)).toBe('a process of another user (uid 0)');
    server.close();
  });
});

it('a folder keeps its port until somebody else has it', async () => {
  const dataDir = temporaryFolder();
  const lines: string[] = [];
  const choice = { server: 'Test', dataDir, wanted: undefined, log: (line: string) => lines.push(line) };
  const first = await choosePort(choice);
  await storePort(dataDir, first);
  expect(await choosePort(choice)).toBe(first);
  const rival = createServer().listen(first, '127.0.0.1');
  await once(rival, 'listening');
  expect(await choosePort(choice)).not.toBe(first);
  expect(lines).toEqual([
    `Test: port ${first} of the last start is in use by node (pid ${process.pid}), taking another`,
  ]);
  rival.close();
});
