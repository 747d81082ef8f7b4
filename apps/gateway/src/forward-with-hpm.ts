import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CairnError } from '@cairn/errors';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Forwarder } from './forwarder.ts';
import { sendProblem, writeProblemToSocket } from './problem-response.ts';
import { stripAnswerHeaders } from './trust-headers.ts';

const UPSTREAM_SILENT_MS = 90_000;
const UPSTREAM_SOCKETS_MAX = 1_024;
const NOWHERE = 'http://127.0.0.1:9';

/** The forwarding port over http-proxy-middleware (its core is httpxy). */
export function createHpmForwarder(onFailure: (error: unknown, request: IncomingMessage) => void): Forwarder {
  const agent = new Agent({ keepAlive: true, maxSockets: UPSTREAM_SOCKETS_MAX, maxFreeSockets: 256 });
  const upstreams = new WeakMap<IncomingMessage, string>();
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    // Never used: the router names the upstream of every request.
    target: NOWHERE,
    router: (request) => upstreams.get(request) ?? NOWHERE,
    agent,
    changeOrigin: false,
    xfwd: false,
    proxyTimeout: UPSTREAM_SILENT_MS,
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('proxyRes', (answer) => stripAnswerHeaders(answer.headers));
        server.on('error', (error, request, target) => {
          if (request !== undefined && target !== undefined) failed(error, request, target as ServerResponse | Socket, onFailure);
        });
        server.on('proxyReqWs', (_proxyRequest, _request, socket) => {
          // Without a listener a reset on either side would end the process.
          (socket as Socket).on('error', () => undefined);
        });
        server.on('open', (socket) => {
          (socket as Socket).on('error', () => undefined);
        });
      },
    ],
  });
  return {
    http(request, response, upstream) {
      upstreams.set(request, upstream);
      void proxy(request, response, () => undefined);
    },
    upgrade(request, socket, head, upstream) {
      upstreams.set(request, upstream);
      socket.on('error', () => undefined);
      proxy.upgrade(request, socket as Socket & Duplex, head);
    },
    close: () => agent.destroy(),
  };
}

function failed(error: unknown, request: IncomingMessage, target: ServerResponse | Socket, onFailure: (error: unknown, request: IncomingMessage) => void): void {
  const clientGone = request.socket.destroyed;
  if (!clientGone) onFailure(error, request);
  const unavailable = new CairnError('unavailable', 'The service behind this operation cannot be reached right now.', { cause: error });
  if (target instanceof Socket) {
    if (!target.destroyed && target.bytesWritten === 0) writeProblemToSocket(target, unavailable, request);
    target.destroy();
    return;
  }
  if (target.headersSent) target.destroy();
  else if (!clientGone) sendProblem(request, target, unavailable);
}
