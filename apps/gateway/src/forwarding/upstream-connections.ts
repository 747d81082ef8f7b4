import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect, type ConnectionOptions } from 'node:tls';
import type { ServiceName } from '@cairn/contracts';
import type { InternalTls } from '@cairn/service-kit';
import { buildConnector } from 'undici';
import { UPSTREAM_CONNECT_MS } from './upstream-bounds.ts';

/** How undici connects to a service; with `tls`, it must hold the certificate of that name. */
export function connectorTo(service: ServiceName, tls: InternalTls | null): buildConnector.connector {
  const plain = buildConnector({ timeout: UPSTREAM_CONNECT_MS });
  if (tls === null) return plain;
  // Built for each connection: the certificate may have changed.
  return (options, callback) => {
    const secured = tls.connectOptions(service);
    const connector = buildConnector({ timeout: UPSTREAM_CONNECT_MS, maxCachedSessions: 0, ...secured });
    connector({ ...options, servername: secured.servername }, callback);
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
