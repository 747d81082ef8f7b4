import { readFile } from 'node:fs/promises';
import type { ServiceName } from '@cairn/contracts';
import {
  createRequestBinder,
  createRequestVerifier,
  createTicketSigner,
  createTicketVerifier,
  createTokenSigner,
  createTokenVerifier,
  type RequestBinder,
  requestKeysOf,
  type RequestVerifier,
  type TicketSigner,
  type TicketVerifier,
  type TokenSigner,
  type TokenVerifier,
} from '@cairn/identity';

/** Reads the part's private key and everyone's public keys; fails with the file's name. */
export async function readIdentityKeys(files: {
  signingKeyFile: string;
  jwksFile: string;
}): Promise<{ signer: TokenSigner; verifier: TokenVerifier; ticketSigner: TicketSigner; tickets: TicketVerifier }> {
  const privateJwk = await readJson(files.signingKeyFile);
  const jwks = await readJwks(files.jwksFile);
  return {
    signer: await createTokenSigner(privateJwk),
    verifier: await createTokenVerifier(jwks),
    ticketSigner: await createTicketSigner(privateJwk),
    tickets: await createTicketVerifier(jwks),
  };
}

/** The same for a service, and what it verifies the requests of gateways with. */
export async function readServiceKeys(
  files: { signingKeyFile: string; jwksFile: string; requestKeysFile: string },
  service: ServiceName,
): Promise<Awaited<ReturnType<typeof readIdentityKeys>> & { requests: RequestVerifier }> {
  const identityKeys = await readIdentityKeys(files);
  const keys = requestKeysOf(await readJwks(files.requestKeysFile), service);
  return { ...identityKeys, requests: createRequestVerifier({ service, keys, tokens: identityKeys.verifier }) };
}

/** What a gateway binds requests to each of the services with. */
export async function readRequestBinders<Name extends ServiceName>(
  file: string,
  services: readonly Name[],
): Promise<Readonly<Record<Name, RequestBinder>>> {
  const jwks = await readJwks(file);
  const binders = services.map((service) => [service, createRequestBinder(requestKeysOf(jwks, service)[0]!)] as const);
  return Object.fromEntries(binders) as Record<Name, RequestBinder>;
}

async function readJwks(file: string): Promise<[]> {
  const { keys } = await readJson(file);
  if (!Array.isArray(keys)) throw new Error(`${file} is not a JWK set`);
  return keys as [];
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON`, { cause: error });
  }
}
