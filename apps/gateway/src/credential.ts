import type { IncomingMessage } from 'node:http';
import { CairnError } from '@cairn/errors';
import { hasDuplicate } from './trust-headers.ts';

const CREDENTIAL_MAX_CHARS = 512;

/** Takes the one credential out of a request: `x-api-key` or `Authorization: Bearer`. Both headers are removed. */
export function takeCredential(request: IncomingMessage): string {
  const { headers } = request;
  const key = textOf(headers['x-api-key']);
  const authorization = textOf(headers.authorization);
  delete headers['x-api-key'];
  delete headers.authorization;
  if (hasDuplicate(request, ['x-api-key', 'authorization'])) {
    throw new CairnError('credential_invalid', 'The request carries more than one credential.');
  }
  const bearer = authorization === undefined ? undefined : bearerOf(authorization);
  if (key !== undefined && bearer !== undefined && key !== bearer) {
    throw new CairnError('credential_invalid', 'The request carries two different credentials.');
  }
  const credential = key ?? bearer;
  if (credential === undefined) throw new CairnError('credential_missing', 'Send your key in the x-api-key header.');
  if (credential.length > CREDENTIAL_MAX_CHARS)
    throw new CairnError('credential_invalid', 'The credential is not valid.');
  return credential;
}

/** An empty header carries nothing. */
function textOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(',') : header;
  return text?.trim() || undefined;
}

function bearerOf(authorization: string): string {
  const match = /^Bearer +(\S+)$/i.exec(authorization);
  if (match === null)
    throw new CairnError('credential_invalid', 'The Authorization header must be “Bearer <credential>”.');
  return match[1]!;
}
