import { rootCertificates } from 'node:tls';
import { Agent } from 'undici';
import { type AddressPolicy, assertMayConnect } from './address-policy.ts';
import { checkUrl, hostOf } from './check-url.ts';
import { guardedConnector } from './connector.ts';
import { ACCEPTED_ENCODINGS, decodeBody } from './decode-body.ts';
import { exchange, type ExchangeResult } from './exchange.ts';
import type { NoProxyEntry } from './no-proxy.ts';
import { OutboundError } from './outbound-error.ts';
import { outboundFetch } from './outbound-fetch.ts';
import { nameResolver, type ResolveName } from './resolve-name.ts';

export interface OutboundOptions {
  /** Loopback and private addresses may be reached too: in development, and for what the operator configured. */
  allowPrivateNetwork: boolean;
  /** Sent as `user-agent` unless a request brings its own. */
  userAgent: string;
  /** http:// or https:// forward proxy that every connection goes through. */
  proxyUrl?: string;
  /** Hosts that are reached without the proxy. */
  noProxy?: readonly NoProxyEntry[];
  /** Certificates to trust beside the platform's, in PEM: those of an organisation's own authority. */
  extraCertificates?: readonly string[];
  connectTimeoutMs?: number;
  /** How names become addresses. Default: name servers, then the system. */
  resolve?: ResolveName;
}

export interface OutboundRequest {
  /** Default GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the call to the last byte, redirects included. */
  timeoutMs: number;
  /** Longest body that is taken, on the wire and unpacked. */
  bodyMaxBytes: number;
  /** A longer body: `refuse` (default) throws `body_too_large`; `truncate` gives its first bytes, as they were sent. */
  whenLonger?: 'refuse' | 'truncate';
  /** Redirects to follow, each judged like a first request. Default 0: an answer of 3xx is an answer. */
  redirectsMax?: number;
  /** Given up by the caller: `aborted`. */
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** True when there was more than `bodyMaxBytes` and `whenLonger` is `truncate`. */
  truncated: boolean;
  /** What answered in the end. */
  url: string;
}

/** The one way out to the network. */
export interface Outbound {
  /** Sends a request to vetted addresses only. Any status is a response; throws `OutboundError`. */
  request(url: string, request: OutboundRequest): Promise<OutboundResponse>;
  /** `fetch` under the same guard, for libraries that bring their own client; see `outboundFetch`. */
  fetch: typeof fetch;
  /** Judges a URL without asking anything; for what is asked later, or by another program. Throws `OutboundError`. */
  check(url: string): URL;
  /** Checks a URL and the addresses that its name resolves to now. A program that resolves the name itself may still get other addresses. */
  checkAddresses(url: string): Promise<URL>;
  /** Ends all connections; requests in flight fail with `connection_lost`. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Of an answer that is read through `fetch`; far more than a model writes. */
const FETCH_BODY_MAX_BYTES = 16 * 1_048_576;
const HEADERS_MAX_BYTES = 16_384;
const IDLE_CONNECTION_MS = 4_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What belongs to one origin and is not carried to another. */
const OF_ONE_ORIGIN: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

export function createOutbound(options: OutboundOptions): Outbound {
  const policy: AddressPolicy = { allowPrivateNetwork: options.allowPrivateNetwork };
  const resolve = options.resolve ?? nameResolver();
  const agent = new Agent({
    connect: guardedConnector({
      policy,
      resolve,
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      proxyUrl: options.proxyUrl,
      noProxy: options.noProxy ?? [],
      extraCertificates: options.extraCertificates ?? [],
      platformCertificates: rootCertificates,
    }),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: HEADERS_MAX_BYTES,
    keepAliveTimeout: IDLE_CONNECTION_MS,
  });

  return {
    fetch: outboundFetch(agent, policy, FETCH_BODY_MAX_BYTES),
    check: (url) => checkUrl(policy, url),
    async checkAddresses(text) {
      const url = checkUrl(policy, text);
      assertMayConnect(policy, url.host, await resolve(hostOf(url)));
      return url;
    },
    request: (url, request) => requestGuarded({ agent, policy, userAgent: options.userAgent }, url, request),
    close: () => agent.destroy(),
  };
}

interface Wire {
  agent: Agent;
  policy: AddressPolicy;
  userAgent: string;
}

async function requestGuarded(wire: Wire, text: string, request: OutboundRequest): Promise<OutboundResponse> {
  const until = performance.now() + request.timeoutMs;
  const whenLonger = request.whenLonger ?? 'refuse';
  let url = checkUrl(wire.policy, text);
  let method = request.method ?? 'GET';
  let body = request.body;
  let headers = {
    'user-agent': wire.userAgent,
    // What is cut short cannot be unpacked.
    'accept-encoding': whenLonger === 'truncate' ? 'identity' : ACCEPTED_ENCODINGS,
    ...lowerCased(request.headers ?? {}),
  };
  for (let redirects = 0; ; redirects += 1) {
    const timeoutMs = Math.max(1, until - performance.now());
    const { bodyMaxBytes, signal } = request;
    const answer = await exchange({
      agent: wire.agent,
      url,
      method,
      headers,
      body,
      timeoutMs,
      bodyMaxBytes,
      whenLonger,
      signal,
    });
    const target = redirectOf(answer, url);
    if (target === null || (request.redirectsMax ?? 0) === 0) return finished(answer, url, bodyMaxBytes, whenLonger);
    if (redirects >= request.redirectsMax!) {
      throw new OutboundError('redirects_exceeded', `${url.host} redirects more than ${request.redirectsMax} times`);
    }
    const next = checkUrl(wire.policy, target);
    if (next.origin !== url.origin) {
      headers = Object.fromEntries(
        Object.entries(headers).filter(([name]) => !OF_ONE_ORIGIN.has(name)),
      ) as typeof headers;
    }
    if (answer.status === 303 || (answer.status < 303 && method === 'POST')) {
      method = method === 'HEAD' ? 'HEAD' : 'GET';
      body = undefined;
    }
    url = next;
  }
}

async function finished(
  answer: ExchangeResult,
  url: URL,
  maxBytes: number,
  whenLonger: 'refuse' | 'truncate',
): Promise<OutboundResponse> {
  const encoding = [answer.headers['content-encoding'] ?? ''].flat().join(',');
  const body = whenLonger === 'truncate' ? answer.body : await decodeBody(url, encoding, answer.body, maxBytes);
  return { status: answer.status, headers: answer.headers, body, truncated: answer.truncated, url: url.href };
}

function redirectOf(answer: ExchangeResult, from: URL): string | null {
  const location = [answer.headers['location'] ?? []].flat()[0];
  if (!REDIRECTS.has(answer.status) || location === undefined) return null;
  // An address that cannot be read is judged, and refused, like any other text.
  return URL.canParse(location, from.href) ? new URL(location, from).href : location;
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
