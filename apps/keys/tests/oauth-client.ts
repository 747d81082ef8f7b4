import * as oauth from 'oauth4webapi';
import { BASE_URL, type RunningKeys } from './keys-harness.ts';

export interface MadeClient {
  clientId: string;
  secret: string;
}

/** The service as oauth4webapi, a client library that knows nothing of us, sees it: by its issuer's address. */
export function standardClient(keys: RunningKeys) {
  const options = {
    [oauth.customFetch]: (url: string, init: object) => {
      const { pathname, search } = new URL(url);
      return keys.open(pathname + search, init as RequestInit);
    },
  };
  const discover = async () => {
    const issuer = new URL(BASE_URL);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
    return oauth.processDiscoveryResponse(issuer, response);
  };
  return {
    discover,
    async token({ clientId, secret }: MadeClient, scope?: string, authenticate = oauth.ClientSecretBasic) {
      const [server, client] = [await discover(), { client_id: clientId }];
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authenticate(secret),
        scope === undefined ? {} : { scope },
        options,
      );
      return oauth.processClientCredentialsResponse(server, client, response);
    },
    async revoke({ clientId, secret }: MadeClient, token: string, authenticate = oauth.ClientSecretBasic) {
      const [server, client] = [await discover(), { client_id: clientId }];
      const response = await oauth.revocationRequest(server, client, authenticate(secret), token, options);
      return oauth.processRevocationResponse(response);
    },
  };
}
