import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { BatchingSocket } from './batching-socket.ts';

let server: Server;

beforeAll(async () => {
  server = createServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

it('hands over all statements of one turn at once, those behind a promise too, and keeps their order', async () => {
  const socket = new BatchingSocket();
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const handedOver = jest.spyOn(socket, '_writev' as never);
  const send = (...messages: string[]) => {
    socket.cork();
    for (const message of messages) socket.write(message);
    socket.uncork();
  };
  send('parse ', 'bind ');
  await Promise.resolve();
  send('execute ', 'sync ');
  let echoed = '';
  for await (const chunk of socket) {
    echoed += String(chunk);
    if (echoed === 'parse bind execute sync ') send('next ', 'one');
    if (echoed.endsWith('one')) break;
  }
  expect(echoed).toBe('parse bind execute sync next one');
  expect(handedOver).toHaveBeenCalledTimes(2);
});
