import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressPolicy, assertMayConnect } from './address-policy.ts';
import { bypassesProxy, type NoProxyEntry } from './no-proxy.ts';
import { OutboundError } from './outbound-error.ts';
import { openTunnel } from './proxy-tunnel.ts';
import type { ResolveName } from './resolve-name.ts';

interface ConnectorOptions {
  policy: AddressPolicy;
  resolve: ResolveName;
  connectTimeoutMs: number;
  /** A forward proxy; every connection is a CONNECT tunnel through it, except to hosts of `noProxy`. */
  proxyUrl: string | undefined;
  noProxy: readonly NoProxyEntry[];
  /** Certificates to trust beside the platform's, in PEM. */
  extraCertificates: readonly string[];
  platformCertificates: readonly string[];
}

/**
 * Makes connections for undici. A name is resolved once; every address is checked; and the connection goes to one of the
 * judged addresses, not the name, so that another answer of the name server a moment later changes nothing. Through
 * a proxy the tunnel is asked for by address for the same reason.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { policy, resolve, connectTimeoutMs, proxyUrl } = options;
  const tls =
    options.extraCertificates.length === 0
      ? {}
      : { ca: [...options.platformCertificates, ...options.extraCertificates] };
  const lookupChecked: LookupFunction = (host, { all }, done) => {
    checkedAddresses(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all === true) done(null, found);
        else done(null, found[0]!.address, found[0]!.family);
      },
      (error: Error) => done(error, []),
    );
  };
  const direct = buildConnector({ ...tls, allowH2: false, timeout: connectTimeoutMs, lookup: lookupChecked });
  const overTunnel = buildConnector({ ...tls, allowH2: false, timeout: connectTimeoutMs });

  async function checkedAddresses(host: string): Promise<string[]> {
    const addresses = await resolve(host);
    if (addresses.length === 0) throw new OutboundError('name_not_resolved', `the name ${host} has no address`);
    assertMayConnect(policy, host, addresses);
    return addresses;
  }

  async function tunnelTo(target: buildConnector.Options, proxy: string, address: string): Promise<Socket> {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    const socket = await openTunnel({
      proxyUrl: proxy,
      address,
      port,
      timeoutMs: connectTimeoutMs,
      ...tls,
    });
    return target.protocol === 'https:' ? connected(overTunnel, { ...target, httpSocket: socket }) : socket;
  }

  async function connect(target: buildConnector.Options): Promise<Socket> {
    const host = unbracketed(target.hostname);
    if (proxyUrl !== undefined) {
      const addresses = await checkedAddresses(host);
      if (!bypassesProxy(options.noProxy, host, addresses)) return tunnelTo(target, proxyUrl, addresses[0]!);
    }
    // For an address the platform asks no resolver, so the look-up above would not see it.
    if (isIP(host) !== 0) assertMayConnect(policy, host, [host]);
    return connected(direct, { ...target, hostname: host });
  }

  return (target, done) => {
    connect(target).then(
      (socket) => done(null, socket),
      (error: Error) => done(error, null),
    );
  };
}

function connected(connector: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((opened, failed) => {
    connector(target, (error, socket) => {
      if (error === null) opened(socket);
      else failed(error);
    });
  });
}

function unbracketed(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
