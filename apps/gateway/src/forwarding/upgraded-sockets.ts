import type { Socket } from 'node:net';
import { endGracefully } from '../responses/problem-response.ts';

const KEEP_ALIVE_AFTER_MS = 30_000;
/** Longer than a run waits for the answer to a clarifying question (10 min). */
const UPGRADED_IDLE_MS = 20 * 60_000;
/** A WebSocket has no use for a half-closed connection, beyond the last frames on their way. */
const HALF_OPEN_MAX_MS = 5_000;

/** Ties the two connections of an upgrade together: neither outlives the other, a reset of either ends both. */
export function joinUpgraded(client: Socket, service: Socket): void {
  tie(client, service);
  tie(service, client);
  for (const socket of [client, service]) socket.setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
  client.setTimeout(UPGRADED_IDLE_MS, () => client.destroy());
}

function tie(socket: Socket, other: Socket): void {
  // Without a listener a reset would end the process.
  socket.on('error', () => undefined);
  socket.once('end', () => {
    const cut = setTimeout(() => socket.destroy(), HALF_OPEN_MAX_MS);
    cut.unref();
    socket.once('close', () => clearTimeout(cut));
  });
  socket.once('close', () => endGracefully(other));
}
