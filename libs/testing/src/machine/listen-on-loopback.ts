import type { AddressInfo, Server } from 'node:net';

/** Listens on a free port of this machine, by default one that only it reaches; returns the port. */
export async function listenOnLoopback(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
