import type { IncomingMessage } from 'node:http';
import { BINDING_HEADER, IDENTITY_HEADER, type RequestVerifier, type VerifiedCaller } from '@cairn/identity';
import { identityDenied } from './identity-denied.ts';

/** Who sends the request, and the token that says so. Throws `identity_invalid`, or `unavailable` when it came too late. */
export async function authenticateRequest(
  request: IncomingMessage & { originalUrl?: string },
  verifier: RequestVerifier,
): Promise<{ caller: VerifiedCaller; token: string }> {
  const token = textOf(request.headers[IDENTITY_HEADER]);
  const check = await verifier.verify({
    method: request.method ?? '',
    // Express may have changed the other.
    target: request.originalUrl ?? request.url ?? '',
    token,
    binding: textOf(request.headers[BINDING_HEADER]),
  });
  if (!check.ok) throw identityDenied(check.denial);
  return { caller: check.caller, token: token ?? '' };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
