import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { OutboundError } from './outbound-error.ts';

interface TunnelOptions {
  /** http:// or https:// with optional user information. */
  proxyUrl: string;
  /** The judged address; a name here would be resolved a second time, by the proxy. */
  address: string;
  port: number;
  timeoutMs: number;
  /** Certificate authorities that an https:// proxy is verified against; default: the platform's. */
  ca?: readonly string[];
}

/** Asks a forward proxy for a tunnel (RFC 9110, section 9.3.6). Throws `proxy_failed`. */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const proxy = new URL(options.proxyUrl);
  const authority = `${isIPv6(options.address) ? `[${options.address}]` : options.address}:${options.port}`;
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((opened, failed) => {
    const asked = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization(proxy) },
      agent: false,
      timeout: options.timeoutMs,
      ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
    });
    const fail = (reason: string, cause?: unknown) => {
      asked.destroy();
      failed(new OutboundError('proxy_failed', `the proxy ${reason}`, cause));
    };
    asked.on('timeout', () => fail('did not answer in time'));
    asked.on('error', (error) => fail('could not be asked', error));
    asked.on('response', (answer) => fail(`answered ${answer.statusCode}`));
    asked.on('connect', (answer, socket, head) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        fail(`refused the tunnel with ${answer.statusCode}`);
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      opened(socket as Socket);
    });
    asked.end();
  });
}

function authorization(proxy: URL): { 'proxy-authorization'?: string } {
  if (proxy.username === '') return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
