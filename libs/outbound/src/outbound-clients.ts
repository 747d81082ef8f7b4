import { readFile } from 'node:fs/promises';
import type { Logger } from '@cairn/service-kit';
import type { OutboundConfig } from './config.ts';
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
import { nameResolver, type ResolveName } from './resolve-name.ts';

/** How one service reaches the outside. */
export interface OutboundClients {
  /** For addresses that a tenant, a user or a page named: the full guard, and always the proxy if there is one. */
  untrusted: Outbound;
  /** For addresses of the operator's configuration: they may be private, and may be reached without the proxy. */
  trusted: Outbound;
  /** A client like `untrusted` that goes through another proxy. */
  through(proxyUrl: string): Outbound;
  close(): Promise<void>;
}

/** Builds a service's clients from the variables that all services share. `resolve`: how names become addresses. */
export async function createOutboundClients(
  config: OutboundConfig,
  userAgent: string,
  logger: Pick<Logger, 'warn'>,
  resolve: ResolveName = nameResolver(),
): Promise<OutboundClients> {
  const { allowPrivateNetwork, outboundProxy, outboundNoProxy, outboundCertificatesFile: file } = config;
  if (allowPrivateNetwork) logger.warn('outbound: private addresses are allowed; use this for development only');
  const shared: Omit<OutboundOptions, 'allowPrivateNetwork'> = {
    userAgent,
    resolve,
    ...(outboundProxy === undefined ? {} : { proxyUrl: outboundProxy }),
    ...(file === undefined ? {} : { extraCertificates: [await readFile(file, 'utf8')] }),
  };
  const clients: Outbound[] = [];
  const create = (options: OutboundOptions) => {
    const client = createOutbound(options);
    clients.push(client);
    return client;
  };
  return {
    untrusted: create({ ...shared, allowPrivateNetwork }),
    trusted: create({ ...shared, allowPrivateNetwork: true, noProxy: outboundNoProxy }),
    through: (proxyUrl) => create({ ...shared, allowPrivateNetwork, proxyUrl }),
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
