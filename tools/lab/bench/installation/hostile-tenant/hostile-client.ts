import { Agent, request as httpRequest } from 'node:http';

/** Requests of the hostile tenant leave from a loopback address of its own, so that limits per address tell it apart. */
export const HOSTILE_ADDRESS = '127.0.0.66';
const REQUEST_TIMEOUT_MS = 60_000;
const BODY_MAX_BYTES = 262_144;

interface HostileResponse {
  /** 0 when the connection was refused, reset or timed out. */
  status: number;
  body: string;
}

interface HostileRequest {
  apiKey?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export interface HostileClient {
  baseUrl: string;
  send(method: string, path: string, request?: HostileRequest): Promise<HostileResponse>;
  close(): void;
}

/** A client that never rejects: whatever happens to a hostile request is an outcome to count. */
export function createHostileClient(baseUrl: string, connectionsMax: number): HostileClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  return {
    baseUrl,
    send(method, path, { apiKey, body, headers } = {}) {
      return new Promise((resolve) => {
        const request = httpRequest(
          baseUrl + path,
          {
            method,
            agent,
            localAddress: HOSTILE_ADDRESS,
            timeout: REQUEST_TIMEOUT_MS,
            headers: {
              ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
              ...headers,
            },
          },
          (response) => {
            const kept: Buffer[] = [];
            let keptBytes = 0;
            response.on('data', (piece: Buffer) => {
              if (keptBytes < BODY_MAX_BYTES) kept.push(piece);
              keptBytes += piece.length;
            });
            response.on('error', () => resolve({ status: 0, body: '' }));
            response.on('close', () =>
              resolve({ status: response.statusCode ?? 0, body: Buffer.concat(kept).toString() }),
            );
          },
        );
        request.on('timeout', () => request.destroy());
        request.on('error', () => resolve({ status: 0, body: '' }));
        request.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
