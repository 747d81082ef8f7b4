import { idPattern } from '@cairn/contracts';
import { type CairnError, validationFailed } from '@cairn/errors';
import { type Outbound, OutboundError } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import { z } from 'zod';
import { findAppClient } from '../credentials/app-client-store.ts';
import { isRedirectOf } from './oauth-addresses.ts';

/** A client as a person is asked about it. */
interface AppClient {
  clientId: string;
  name: string;
}

export interface FindClientDeps {
  /** Clients belong to no tenant. */
  workerDatabase: Database;
  /** The addresses of clients are theirs, so they are asked under the guard. */
  outbound: Pick<Outbound, 'request'>;
  now: () => Date;
}

const REGISTERED = idPattern('appClient');
const DOCUMENT_TIMEOUT_MS = 5_000;
const DOCUMENT_MAX_BYTES = 10_240;
const NAME_MAX_CHARS = 200;
const REDIRECTS_MAX = 50;

const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(REDIRECTS_MAX),
  token_endpoint_auth_method: z.literal('none').optional(),
});

/**
 * The client with this id if the address is one of its own: one that registered, or one whose id is the address of a
 * document about it. Throws `validation_failed`, so that no browser is led to an address that nobody vouches for.
 */
export async function findClientFor(
  deps: FindClientDeps,
  { client_id: clientId, redirect_uri: redirectUri }: { client_id: string; redirect_uri: string },
): Promise<AppClient> {
  const found = REGISTERED.test(clientId) ? await registered(deps, clientId) : await described(deps, clientId);
  if (!isRedirectOf(found.redirectUris, redirectUri))
    throw validationFailed([{ path: 'redirect_uri', message: 'is not an address of this client' }]);
  return { clientId, name: readableName(found.name) || new URL(redirectUri).host };
}

interface Described {
  name: string;
  redirectUris: readonly string[];
}

async function registered({ workerDatabase, now }: FindClientDeps, clientId: string): Promise<Described> {
  const row = await workerDatabase.transaction((tx) => findAppClient(tx, clientId, now()));
  if (row === null) throw unknownClient('is not registered, or no longer');
  return { name: row.name, redirectUris: row.redirect_uris };
}

/** The client id metadata document of a client that did not register. */
async function described({ outbound }: FindClientDeps, clientId: string): Promise<Described> {
  const url = URL.parse(clientId);
  const isDocument =
    url?.protocol === 'https:' &&
    url.href === clientId &&
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (!isDocument) throw unknownClient('is neither a registered client nor the https address of a document');
  const response = await outbound
    .request(clientId, {
      headers: { accept: 'application/json' },
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      bodyMaxBytes: DOCUMENT_MAX_BYTES,
    })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) throw unknownClient('is an address that could not be read');
      throw error;
    });
  const document = ClientDocument.safeParse(response.status === 200 ? jsonOf(response.body) : null);
  if (!document.success || document.data.client_id !== clientId)
    throw unknownClient('is not the address of a document about this client');
  return { name: document.data.client_name ?? '', redirectUris: document.data.redirect_uris };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return null;
  }
}

function unknownClient(message: string): CairnError {
  return validationFailed([{ path: 'client_id', message }]);
}

/** Without characters that nobody sees, or that turn the text around. */
export function readableName(name: string): string {
  return name.replace(/\p{C}/gu, '').trim().slice(0, NAME_MAX_CHARS);
}
