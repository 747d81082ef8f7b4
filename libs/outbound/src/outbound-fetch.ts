import { type Agent, fetch as undiciFetch, type RequestInfo, type RequestInit } from 'undici';
import { type AddressPolicy } from './address-policy.ts';
import { checkUrl } from './check-url.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * `fetch` for libraries that take one. Streams the answer, up to `bodyMaxBytes` after decompression. A redirect is an
 * error, because `fetch` would carry headers like `x-api-key` to the new host. Rejects and aborts as `fetch` does, with
 * the `OutboundError` among the causes when policy refused the request.
 */
export function outboundFetch(agent: Agent, policy: AddressPolicy, bodyMaxBytes: number): typeof fetch {
  const send = async (input: RequestInfo, init?: RequestInit) => {
    checkUrl(policy, typeof input === 'string' || input instanceof URL ? String(input) : input.url);
    const response = await undiciFetch(input, { ...init, dispatcher: agent, redirect: 'error' });
    return bounded(response as unknown as Response, bodyMaxBytes);
  };
  return send as unknown as typeof fetch;
}

function bounded(response: Response, bodyMaxBytes: number): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > bodyMaxBytes)
          controller.error(new OutboundError('body_too_large', `the response is longer than ${bodyMaxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}
