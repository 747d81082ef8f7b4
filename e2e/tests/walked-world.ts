import type { Operation } from '@cairn/contracts';
import { ingest, type ApiAnswer } from './api.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

/** One of everything that a path or a body can name. */
export interface World {
  workspace_id: string;
  memory_id: string;
  /** The memory's own host, with its port. */
  memory_host: string;
  space_id: string;
  /** Another space of the memory. */
  other_space_id: string;
  thread_id: string;
  doc_id: string;
  key_id: string;
  client_id: string;
  webhook_id: string;
  /** A delivery of the webhook. */
  delivery_id: string;
  user: string;
  provider: string;
}

/** Makes a world in the tenant of the call, its document and its thread inside the space. */
export async function makeWorld(call: Call, baseUrl: string, apiKey: string): Promise<World> {
  const made = async (path: string, body: object) => {
    const answer = await call('POST', `/api/v1${path}`, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { workspace } = await made('/workspaces', { name: 'Walked' });
  const memory = await made('/memories', { display_name: 'Walked', workspace_id: workspace.workspace_id });
  const { memory_id } = memory;
  const space = await made('/spaces', { name: 'Walked', memory_id });
  const { space_id } = space;
  const thread = await made('/threads', { title: 'walked', space_id });
  const [doc_id] = await ingest(baseUrl, apiKey, [{ content: 'The walker saw a heron.', space_id }], { memory_id });
  await call('PUT', `/api/v1/spaces/${space_id}/members/ada`, { role: 'reader' });
  await call('PUT', '/api/v1/provider-keys/openai', { api_key: 'sk-walked' });
  // Nobody is there, so the test ping fails and is a delivery that can be named.
  const { webhook_id } = await made('/webhooks', { url: 'https://hooks.invalid/', events: ['memory.entity.created'] });
  const ping = await call('POST', `/api/v1/webhooks/${webhook_id}/test`, {});
  return {
    workspace_id: workspace.workspace_id,
    memory_id,
    memory_host: `${memory.subdomain}.localhost:${new URL(baseUrl).port}`,
    space_id,
    other_space_id: (await made('/spaces', { name: 'Other', memory_id })).space_id,
    thread_id: thread.thread_id,
    doc_id: doc_id!,
    key_id: (await made('/api-keys', { name: 'walked' })).key_id,
    client_id: (await made('/oauth-clients', { name: 'walked', scopes: ['usage:read'] })).client_id,
    webhook_id,
    delivery_id: ping.body.delivery_id,
    user: 'ada',
    provider: 'openai',
  };
}

interface Request {
  query?: string;
  body?: object;
  headers?: Record<string, string>;
}

/**
 * How each operation is called well, about one world; it names a resource wherever it can, and whatever it would
 * change is visible in `stateOf`. An operation without an entry fails the walk.
 */
export const CALLS: Readonly<Record<string, (world: World) => Request>> = {
  createApiKey: ({ memory_id }) => ({ body: { name: 'new', type: 'memory', memory_id } }),
  rotateApiKey: () => ({ body: { overlap_seconds: 60 } }),
  updateApiKey: () => ({ body: { name: 'changed' } }),
  revokeApiKey: () => ({}),
  listApiKeys: () => ({}),
  getApiKey: () => ({}),
  createOAuthClient: () => ({ body: { name: 'new', scopes: ['usage:read'] } }),
  listOAuthClients: () => ({}),
  getOAuthClient: () => ({}),
  revokeOAuthClient: () => ({}),
  putProviderKey: () => ({ body: { api_key: 'sk-other' } }),
  listProviderKeys: () => ({}),
  getProviderKey: () => ({}),
  deleteProviderKey: () => ({}),
  createWorkspace: () => ({ body: { name: 'new' } }),
  listWorkspaces: () => ({}),
  getWorkspace: () => ({}),
  updateWorkspace: () => ({ body: { name: 'changed' } }),
  deleteWorkspace: () => ({}),
  createMemory: ({ workspace_id }) => ({ body: { display_name: 'new', workspace_id } }),
  listMemories: ({ workspace_id }) => ({ query: `workspace_id=${workspace_id}` }),
  getMemory: () => ({}),
  updateMemory: () => ({ body: { display_name: 'changed' } }),
  deleteMemory: () => ({}),
  createSpace: ({ memory_id }) => ({ body: { name: 'new', memory_id } }),
  listSpaces: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getSpace: () => ({}),
  updateSpace: () => ({ body: { name: 'changed' } }),
  deleteSpace: () => ({}),
  listSpaceMembers: () => ({}),
  putSpaceMember: () => ({ body: { role: 'writer' } }),
  deleteSpaceMember: () => ({}),
  createThread: ({ memory_id, space_id }) => ({ body: { title: 'new', memory_id, space_id } }),
  listThreads: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getThread: () => ({}),
  updateThread: () => ({ body: { title: 'changed' } }),
  deleteThread: () => ({}),
  listTurns: () => ({}),
  addTurn: () => ({ body: { role: 'user', content: 'new' } }),

  ingestDocuments: ({ memory_id, space_id }) => ({ body: { content: 'A new one.', memory_id, space_id } }),
  listDocuments: ({ memory_id, space_id }) => ({ query: `memory_id=${memory_id}&space_id=${space_id}` }),
  getDocument: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  deleteDocument: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  searchMemory: ({ memory_id, space_id }) => ({ body: { query: 'heron', memory_id, space_id } }),
  streamSearch: ({ memory_id, space_id }) => ({ body: { query: 'heron', memory_id, space_id } }),

  routeDocument: ({ memory_id }) => ({ body: { space_id: null, memory_id } }),
  callMcp: () => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    headers: { accept: 'application/json, text/event-stream' },
  }),
  readLlmUsage: () => ({}),
  readCredits: () => ({}),
  createWebhook: () => ({ body: { url: 'https://hooks.invalid/new', events: ['memory.entity.created'] } }),
  listWebhooks: () => ({}),
  getWebhook: () => ({}),
  updateWebhook: () => ({ body: { description: 'changed' } }),
  deleteWebhook: () => ({}),
  rotateWebhookSecret: () => ({ body: {} }),
  testWebhook: () => ({ body: {} }),
  listDeliveries: () => ({}),
  getDelivery: () => ({}),
  replayDelivery: () => ({ body: {} }),
  replayDeadLetters: () => ({ body: {} }),
};

/** Those that ask for no credential: whoever cannot say who they are uses them to be able to. */
export const OPEN_OPERATIONS: readonly string[] = ['issueOAuthToken', 'revokeOAuthToken', 'oauthMetadata'];

/** Those whose answer about a stranger's resource is an empty list instead of 404. */
export const EMPTY_FOR_STRANGERS: readonly string[] = ['listMemories', 'listSpaces'];

export interface WalkedCall {
  method: string;
  path: string;
  body: object | undefined;
  headers: Record<string, string>;
  /** Whether it names a resource that belongs to one tenant. */
  names: boolean;
}

export function callOf(operation: Operation, world: World): WalkedCall {
  const { query, body, headers = {} } = CALLS[operation.id]!(world);
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: keyof World) => {
    if (world[name] === undefined) throw new Error(`${operation.id}: the world has no ${name}`);
    return world[name];
  });
  const whole = query === undefined ? path : `${path}?${query}`;
  return {
    method: operation.method,
    path: whole,
    body,
    headers,
    names: /_[1-9A-HJ-NP-Za-km-z]{20,}/.test(whole + JSON.stringify(body ?? {})),
  };
}

/** All that a user can see of a tenant's state, without what changes by looking. */
export async function stateOf(call: Call, world: World): Promise<unknown> {
  const read = async (path: string) => (await call('GET', `/api/v1${path}`)).body;
  const keys = (await read('/api-keys')).api_keys as Record<string, unknown>[];
  return {
    keys: keys.map((key) => ({ ...key, last_used_at: null, usage_count: null })),
    clients: await read('/oauth-clients'),
    providers: await read('/provider-keys'),
    workspaces: await read('/workspaces'),
    memories: await read('/memories'),
    spaces: await read('/spaces'),
    members: await read(`/spaces/${world.space_id}/members`),
    threads: await read(`/threads?memory_id=${world.memory_id}`),
    documents: await read(`/memory/documents?memory_id=${world.memory_id}`),
    webhooks: await read('/webhooks'),
    deliveries: await read(`/webhooks/${world.webhook_id}/deliveries`),
  };
}
