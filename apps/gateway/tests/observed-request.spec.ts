import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readMetrics } from '@cairn/telemetry';
import { eventually, listenOnLoopback } from '@cairn/testing';
import { observeRequest } from '../src/observed-request.ts';

let server: Server;
let port: number;
let begun: number;

beforeEach(async () => {
  begun = 0;
  // Never answers, so that a pipelined request waits for the one before it.
  server = createServer((request, response) => {
    observeRequest(request, response, { callerTraces: 'linked', answered: () => undefined });
    begun += 1;
  });
  port = await listenOnLoopback(server);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function inFlight(): Promise<number> {
  const { text } = await readMetrics();
  return Number(/^cairn_gateway_requests_in_flight (\d+)$/m.exec(text)?.[1] ?? 0);
}

describe('requests in flight', () => {
  it('are none after their connection has closed, also those whose turn never came', async () => {
    const before = await inFlight();
    const client = connect(port, '127.0.0.1');
    client.write('GET /one HTTP/1.1\r\nhost: a\r\n\r\nGET /two HTTP/1.1\r\nhost: a\r\n\r\n');
    await eventually(() => begun === 2);
    expect(await inFlight()).toBe(before + 2);
    client.destroy();
    await eventually(async () => (await inFlight()) === before);
    expect(await inFlight()).toBe(before);
  });
});
