import { connect } from 'node:net';

const TIMEOUT_MS = 2_000;

/** Whether something accepts connections there; the address is a URL or host:port. */
export function isReachable(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), timeout: TIMEOUT_MS });
    const end = (reachable: boolean) => {
      socket.destroy();
      resolve(reachable);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
