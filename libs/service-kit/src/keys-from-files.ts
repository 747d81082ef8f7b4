import { readFile } from 'node:fs/promises';
import {
  createTicketSigner,
  createTicketVerifier,
  createTokenSigner,
  createTokenVerifier,
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
  const jwks = (await readJson(files.jwksFile)) as { keys?: unknown };
  if (!Array.isArray(jwks.keys)) throw new Error(`${files.jwksFile} is not a JWK set`);
  return {
    signer: await createTokenSigner(privateJwk),
    verifier: await createTokenVerifier(jwks.keys),
    ticketSigner: await createTicketSigner(privateJwk),
    tickets: await createTicketVerifier(jwks.keys),
  };
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON`, { cause: error });
  }
}
