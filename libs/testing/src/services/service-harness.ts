import { Writable } from 'node:stream';
import type { ServiceName } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import pg from 'pg';
import type { TestDatabase } from '../engines/test-database.ts';
import type { TestIdentities } from '../identities/test-identity.ts';

/** What the harnesses of the services' specs have in common; a service runs in the process of its spec. */

export const ANY_PORT = { host: '127.0.0.1', port: 0 };

/** The settings that every service has, apart from the broker's address. */
export function serviceSettings(service: ServiceName, database: TestDatabase, identities: TestIdentities) {
  return {
    httpListen: ANY_PORT,
    grpcListen: ANY_PORT,
    databaseUrl: database.url,
    databaseWorkerUrl: database.workerUrl,
    signingKeyFile: identities.signingKeyFile(service),
    jwksFile: identities.jwksFile,
    requestKeysFile: identities.requestKeysFile,
    healthListen: undefined,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    tlsCaFile: undefined,
    // The event loop is also that of the spec.
    loopStallMaxMs: 0,
  };
}

interface Superuser {
  /** Reads and changes the database past row-level security. */
  ask<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Connects to the service's schema as superuser. */
export async function connectSuperuser(database: TestDatabase, schema: string): Promise<Superuser> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  // A spec may restart or end the server.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`SET search_path TO ${schema}`);
  return {
    ask: async (sql, values = []) => (await client.query(sql, values)).rows,
    close: () => client.end(),
  };
}

interface ServiceRequest {
  service: ServiceName;
  /** Base URL of the service, or of one of its replicas. */
  url: string;
  /** Default: GET. */
  method?: string;
  path: string;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ServiceResponse<Body> {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, otherwise its text. */
  body: Body;
}

/** Calls a service as a gateway forwards the request for the caller; null: without any identity. */
export async function callService<Body>(
  identities: TestIdentities,
  identity: Identity | null,
  { service, url, method = 'GET', path, body, headers = {} }: ServiceRequest,
): Promise<ServiceResponse<Body>> {
  const forwarded = identity === null ? {} : await identities.headersFor(identity, { service, method, url: path });
  const response = await fetch(url + path, {
    method,
    headers: { ...forwarded, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
}

/** Where a logger writes whose lines a spec reads. */
export function captureLog(): { sink: Writable; text(): string } {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { sink, text: () => lines.join('') };
}
