import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect, type ConnectionOptions } from 'node:tls';
import type { ServiceName } from '@cairn/contracts';
import type { InternalTls } from '@cairn/service-kit';
import { buildConnector } from 'undici';
import { DEFAULT_PORTS, REPLICA_CONNECT_MS } from './upstream-bounds.ts';

const notConnected = new WeakSet<Error>();

/** Whether a connector failed with this: no byte of a request was sent. */
export function isNotConnected(error: Error): boolean {
  return notConnected.has(error);
}

/**
 * How undici connects to a service, or to a replica of it; with `tls`, it must hold the certificate of that name,
 * whatever its address is. `timeoutMs` is for the connection and its handshake together.
 */
export function connectorTo(
  service: ServiceName,
  tls: InternalTls | null,
  timeoutMs: number,
): buildConnector.connector {
  const plain = buildConnector({ timeout: timeoutMs });
  return (options, callback) => {
    const note: buildConnector.Callback = (...result) => {
      if (result[0] !== null) notConnected.add(result[0]);
      callback(...result);
    };
    if (tls === null) {
      plain(options, note);
      return;
    }
    // Built for each connection: the certificate may have changed.
    const secured = tls.connectOptions(service);
    const connector = buildConnector({ timeout: timeoutMs, maxCachedSessions: 0, ...secured });
    connector({ ...options, servername: secured.servername }, note);
  };
}

/** The same for Node's own client. */
export function agentTo(service: ServiceName, tls: InternalTls | null, options: AgentOptions): Agent {
  if (tls === null) return new Agent(options);
  const agent = new TlsAgent(options);
  agent.createConnection = (connection) =>
    connect({ ...(connection as ConnectionOptions), ...tls.connectOptions(service) });
  return agent;
}

/** Whether a connection to the replica can be made, and with `tls` whether it holds the service's certificate. */
export function takesConnections(replicaUrl: string, service: ServiceName, tls: InternalTls | null): Promise<boolean> {
  const { protocol, hostname, host, port } = new URL(replicaUrl);
  const address = {
    protocol,
    host,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port || String(DEFAULT_PORTS[protocol]),
  };
  return new Promise((resolve) => {
    connectorTo(
      service,
      tls,
      REPLICA_CONNECT_MS,
    )(address, (error, socket) => {
      socket?.on('error', () => undefined).destroy();
      resolve(error === null);
    });
  });
}
