import { createTokenVerifier } from '@cairn/identity';
import { createTestIdentities, listenOnLoopback } from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { startFakeKeys, startFakeTenancy } from '../../../../apps/gateway/tests/fake-services.ts';

/** What the gateway and its peers need besides the upstream, in a process of its own. */
export interface Backing {
  keysGrpc: string;
  tenancyGrpc: string;
  signingKeyFile: string;
  jwksFile: string;
  requestKeysFile: string;
  apiKey: string;
  /** Where nginx asks whether a request may pass. */
  authUrl: string;
}

const identities = await createTestIdentities();
const { keys: jwks } = JSON.parse(await readFile(identities.jwksFile, 'utf8'));
const verifier = await createTokenVerifier(jwks);
const keys = await startFakeKeys(verifier);
const tenancy = await startFakeTenancy(verifier, new Map());
const apiKey = keys.mint({ rateLimit: { requestsPerSecond: 1e6, burst: 1_000_000 } as never });
const authServer = createServer((request, response) => {
  response.statusCode = request.headers['x-api-key'] === apiKey ? 204 : 401;
  response.end();
});
const port = await listenOnLoopback(authServer);
const backing: Backing = {
  keysGrpc: keys.address,
  tenancyGrpc: tenancy.address,
  signingKeyFile: identities.signingKeyFile('gateway'),
  jwksFile: identities.jwksFile,
  requestKeysFile: identities.requestKeysFile,
  apiKey,
  authUrl: `http://127.0.0.1:${port}`,
};
process.send?.(backing);
process.on('disconnect', () => process.exit());
