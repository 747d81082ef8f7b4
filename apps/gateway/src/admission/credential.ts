import type { IncomingMessage } from 'node:http';
import { SESSION_PREFIX } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { hasDuplicate } from './trust-headers.ts';

const CREDENTIAL_MAX_CHARS = 512;
const TICKET_MAX_CHARS = 2_000;

/**
 * Takes the one credential out of a request: `x-api-key` or `Authorization: Bearer`, and without both the session of a
 * cookie. Both headers are removed.
 */
export function takeCredential(request: IncomingMessage, session?: () => string | undefined): string {
  const { headers } = request;
  const key = textOf(headers['x-api-key']);
  const authorization = textOf(headers.authorization);
  delete headers['x-api-key'];
  delete headers.authorization;
  if (hasDuplicate(request, ['x-api-key', 'authorization'])) {
    throw new CairnError('credential_invalid', 'The request carries more than one credential.');
  }
  const bearer = authorization === undefined ? undefined : subjectOf(authorization);
  if (key !== undefined && bearer !== undefined && key !== bearer) {
    throw new CairnError('credential_invalid', 'The request carries two different credentials.');
  }
  const sent = key ?? bearer;
  // Pages cannot read the session's cookie: one that comes in a header was stolen.
  if (sent?.startsWith(SESSION_PREFIX) === true)
    throw new CairnError('credential_invalid', 'A session is only accepted as a cookie.');
  const credential = sent ?? session?.();
  if (credential === undefined) throw new CairnError('credential_missing', 'Send your key in the x-api-key header.');
  if (credential.length > CREDENTIAL_MAX_CHARS)
    throw new CairnError('credential_invalid', 'The credential is not valid.');
  return credential;
}

/**
 * The ticket in the query of a request that brings no key; it stays there for the service that issued it. Beside a key
 * it is removed, so that a service that sees a ticket knows that the request was admitted by it.
 */
export function takeTicket(request: IncomingMessage): string | undefined {
  const url = request.url ?? '';
  const at = url.indexOf('?');
  if (at < 0) return undefined;
  const query = new URLSearchParams(url.slice(at + 1));
  const tickets = query.getAll('ticket');
  if (tickets.length === 0) return undefined;
  if (textOf(request.headers['x-api-key']) === undefined && textOf(request.headers.authorization) === undefined) {
    if (tickets.length > 1 || tickets[0]!.length > TICKET_MAX_CHARS)
      throw new CairnError('credential_invalid', 'The ticket is not valid.');
    return tickets[0];
  }
  query.delete('ticket');
  request.url = query.size === 0 ? url.slice(0, at) : `${url.slice(0, at)}?${query}`;
  return undefined;
}

/** An empty header counts as absent. */
function textOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(',') : header;
  return text?.trim() || undefined;
}

function subjectOf(authorization: string): string {
  const match = /^Bearer +(\S+)$/i.exec(authorization);
  if (match === null)
    throw new CairnError('credential_invalid', 'The Authorization header must be “Bearer <credential>”.');
  return match[1]!;
}
