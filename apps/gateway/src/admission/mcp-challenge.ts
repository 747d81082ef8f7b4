import type { IncomingMessage } from 'node:http';
import { APP_SCOPES } from '@cairn/contracts';

/**
 * The challenge of a 401 at an MCP endpoint: where its metadata are (RFC 9728, 5.1) and what to ask for, so that a client
 * can have its person sign in. A token that was sent and refused is called invalid (RFC 6750, 3.1), which tells a client to
 * refresh it. Keys are named last, as clients read the first scheme.
 */
export function mcpChallenge(baseUrl: string, request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const path = (request.url ?? '').split('?', 1)[0]!;
  const metadata = new URL(`/.well-known/oauth-protected-resource${path}`, baseUrl).href;
  const refused = /^bearer /i.test(request.headers.authorization ?? '') ? 'error="invalid_token", ' : '';
  return `Bearer ${refused}resource_metadata="${metadata}", scope="${APP_SCOPES.join(' ')}", ApiKey header="x-api-key"`;
}
