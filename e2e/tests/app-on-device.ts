import { createServer } from 'node:http';
import { listenOnLoopback, type SharedCairn } from '@cairn/testing';
import { api } from './api.ts';
import { challenge, codeOf, register, tokenRequest } from './app-sign-in.ts';

/** A program on the device of the browser that asks to be connected to a space, on a port that it did not register. */
export async function appOnDevice(cairn: SharedCairn) {
  const client_id = await register(cairn.baseUrl, ['http://127.0.0.1/callback']);
  const { body: space } = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/spaces', { name: 'Notes' });
  const led = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    response.end('Done.');
    if (request.url?.startsWith('/callback?') === true) led.resolve(request.url);
  });
  const redirect_uri = `http://127.0.0.1:${await listenOnLoopback(server)}/callback`;
  const { verifier, ...pkce } = challenge();
  const asked = { response_type: 'code', client_id, redirect_uri, resource: space.mcp_url as string, ...pkce };
  return {
    url: `${cairn.baseUrl}/console/authorize?${new URLSearchParams(asked).toString()}`,
    spaceId: space.space_id as string,
    async tokens(): Promise<{ access_token: string }> {
      const code = codeOf(redirect_uri.replace('/callback', await led.promise));
      server.close();
      server.closeAllConnections();
      const fields = { grant_type: 'authorization_code', client_id, code, redirect_uri, code_verifier: verifier };
      return (await tokenRequest(cairn.baseUrl, fields)).body;
    },
  };
}
