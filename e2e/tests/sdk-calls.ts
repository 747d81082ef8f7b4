import { isGuarded, type Operation, OPERATIONS } from '@cairn/contracts';
import type { ExampleTenant } from './example-tenant.ts';
import { CALLS, runFor } from './route-walk-fixtures.ts';
import { type TenantFixture } from './tenant-fixture.ts';

/** A call by its name in an SDK. */
export interface SdkCall {
  id: string;
  /** `documents.list` */
  name: string;
  kind: string;
  path: string[];
  fields: Record<string, unknown>;
  /** Text of a file that goes with it. */
  file?: string;
}

/** What cannot succeed in the world as it is, and how it is refused. */
export const REFUSED: Readonly<Record<string, string>> = {
  continueListSearch: 'not_found',
  respondToResearch: 'conflict',
  uploadReference: 'conflict',
  // The calls are made with a key.
  signOut: 'not_found',
  // No identity provider is configured.
  startSignIn: 'not_found',
  startAccountLink: 'not_found',
};

/** What a client says of itself that nobody knows yet. */
export const REGISTRATION = { client_name: 'Field notes', redirect_uris: ['http://127.0.0.1/callback'] };

/** Whatever another call needs goes last. */
const LATE = /^(?:delete|remove|revoke|end|undo|merge|disconnect)/;
const LAST = ['deleteSpaceMember', 'deleteSpace', 'deleteMemory', 'deleteWorkspace'];

/** In an order in which each can do its work. */
export function inDependencyOrder(operations: readonly Operation[]): Operation[] {
  const looks = (operation: Operation) => isGuarded(operation) && operation.action === 'read';
  const rank = (operation: Operation) => {
    if (LAST.includes(operation.id)) return 100 + LAST.indexOf(operation.id);
    return LATE.test(operation.id) ? 3 : looks(operation) ? 1 : 2;
  };
  return operations.toSorted((a, b) => rank(a) - rank(b));
}

/** Every operation as a call about the world. */
export function sdkCalls(owned: ExampleTenant): SdkCall[] {
  return inDependencyOrder(OPERATIONS).map((operation) => callFor(operation, owned));
}

function callFor(operation: Operation, { world, oauth, apiKey }: ExampleTenant): SdkCall {
  const named = operation.service === 'research' ? { ...world, thread_id: runFor(operation, world) } : world;
  const path = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => named[name as keyof TenantFixture]);
  const call = { id: operation.id, name: operation.sdk, kind: operation.response.kind, path };
  if (operation.id === 'issueOAuthToken')
    return { ...call, fields: { grant_type: 'client_credentials', ...oauth, scope: 'usage:read' } };
  if (operation.id === 'revokeOAuthToken') return { ...call, fields: { token: 'ot_unknown', ...oauth } };
  if (operation.id === 'registerAppClient') return { ...call, fields: REGISTRATION };
  if (operation.id === 'openSession') return { ...call, fields: { api_key: apiKey } };
  if (operation.id === 'uploadReference') return { ...call, fields: { thread_id: world.run_id }, file: 'a reference' };
  if (!isGuarded(operation)) return { ...call, fields: {} };
  const { query, body } = CALLS[operation.id]!(world);
  return { ...call, fields: { ...Object.fromEntries(new URLSearchParams(query)), ...body } };
}
