import type { Operation, ServiceName } from './operation.ts';

/** Fields that are credentials, hold one by design (an address with a key in it), or are handed back as they came. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'api_key',
  'attempt',
  'base_url',
  'client_secret',
  'code',
  'code_challenge',
  'code_verifier',
  'cursor',
  'invitation',
  'redirect_uri',
  'redirect_uris',
  'refresh_token',
  'resource',
  'secret',
  'state',
  'ticket',
  'token',
  'url',
]);

/** Fields whose texts the service masks before it stores them. What lies below such a field is masked with it. */
const MASKED: Readonly<Record<ServiceName, ReadonlySet<string>>> = {
  keys: new Set(),
  tenancy: new Set(['name', 'display_name', 'description']),
  memory: new Set(['content', 'title', 'metadata', 'query', 'comment']),
  research: new Set(['prompt', 'query', 'response', 'list_name', 'list_description', 'seeds']),
  webhooks: new Set(),
  usage: new Set(),
};

/**
 * Whether a text that is sent in the field, or below it, may hold a credential. Every other text is shown to people,
 * logged or compared as it was sent, and is refused when it holds one: an operation that is added refuses by default.
 */
export function mayHoldCredentials(operation: Pick<Operation, 'service' | 'response'>, field: string): boolean {
  // The messages of MCP are not ours; what its tools are called with is validated as the operations that they call.
  return operation.response.kind === 'mcp' || CREDENTIALS.has(field) || MASKED[operation.service].has(field);
}
