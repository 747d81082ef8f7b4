import type { Operation } from '@cairn/contracts';
import { type Call, codeRequest, type TenantFixture } from './tenant-fixture.ts';

interface Request {
  query?: string;
  body?: object;
  headers?: Record<string, string>;
}

const inMemory =
  (body?: object) =>
  ({ memory_id }: TenantFixture): Request => ({
    query: `memory_id=${memory_id}`,
    ...(body === undefined ? {} : { body }),
  });

/**
 * How each operation is called well, about one world; it names a resource wherever it can, and whatever it would
 * change is visible in `stateOf`. An operation without an entry fails the walk.
 */
export const CALLS: Readonly<Record<string, (world: TenantFixture) => Request>> = {
  whoami: () => ({}),
  createApiKey: ({ memory_id }) => ({ body: { name: 'Reader', type: 'memory', memory_id } }),
  rotateApiKey: () => ({ body: { overlap_seconds: 60 } }),
  updateApiKey: () => ({ body: { name: 'Migration in spring' } }),
  revokeApiKey: () => ({}),
  listApiKeys: () => ({}),
  getApiKey: () => ({}),
  createOAuthClient: () => ({ body: { name: 'Billing', scopes: ['usage:read'] } }),
  listOAuthClients: () => ({}),
  getOAuthClient: () => ({}),
  revokeOAuthClient: () => ({}),
  listSessions: () => ({}),
  endSession: () => ({}),
  signOut: () => ({}),
  startAccountLink: () => ({}),
  createSessionTicket: () => ({}),
  previewAuthorization: (world) => ({
    query: new URLSearchParams({ ...codeRequest(world), response_type: 'code', scope: 'memory:search' }).toString(),
  }),
  authorizeApp: (world) => ({ body: { ...codeRequest(world), scopes: ['spaces:read', 'memory:search'] } }),
  listConnectedApps: () => ({}),
  disconnectApp: () => ({}),
  listMembers: () => ({}),
  getMember: () => ({}),
  updateMember: () => ({ body: { name: 'Ada Field' } }),
  removeMember: () => ({}),
  createMemberTicket: () => ({}),
  createInvitation: () => ({ body: { email: 'cleo@example.com', role: 'reviewer' } }),
  listInvitations: () => ({}),
  revokeInvitation: () => ({}),
  putProviderKey: () => ({ body: { api_key: 'sk-other' } }),
  listProviderKeys: () => ({}),
  getProviderKey: () => ({}),
  deleteProviderKey: () => ({}),
  testProviderKey: () => ({ body: {} }),
  listModels: () => ({}),
  createWorkspace: () => ({ body: { name: 'Migration' } }),
  listWorkspaces: () => ({}),
  getWorkspace: () => ({}),
  updateWorkspace: () => ({ body: { name: 'Migration in spring' } }),
  deleteWorkspace: () => ({}),
  createMemory: ({ workspace_id }) => ({ body: { display_name: 'Migration', workspace_id } }),
  listMemories: ({ workspace_id }) => ({ query: `workspace_id=${workspace_id}` }),
  getMemory: () => ({}),
  updateMemory: () => ({ body: { display_name: 'Migration in spring' } }),
  deleteMemory: () => ({}),
  createSpace: ({ memory_id }) => ({ body: { name: 'Migration', memory_id } }),
  listSpaces: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getSpace: () => ({}),
  updateSpace: () => ({ body: { name: 'Migration in spring' } }),
  deleteSpace: () => ({}),
  listSpaceMembers: () => ({}),
  putSpaceMember: () => ({ body: { role: 'writer' } }),
  deleteSpaceMember: () => ({}),
  createThread: ({ memory_id, space_id }) => ({ body: { title: 'Migration', memory_id, space_id } }),
  listThreads: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getThread: () => ({}),
  updateThread: () => ({ body: { title: 'Migration in spring' } }),
  deleteThread: () => ({}),
  listTurns: () => ({}),
  addTurn: () => ({ body: { role: 'user', content: 'When did the heron leave?' } }),

  ingestDocuments: ({ memory_id, space_id }) => ({
    body: { content: 'The heron left on 3 October.', memory_id, space_id },
  }),
  getSearchLog: () => ({}),
  updateSearchLog: () => ({ body: { enabled: true } }),
  listSearches: inMemory(),
  getSearch: inMemory(),
  rateSearch: ({ memory_id }) => ({ body: { helpful: true, memory_id } }),
  listDocuments: ({ memory_id, space_id }) => ({ query: `memory_id=${memory_id}&space_id=${space_id}` }),
  getDocument: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getDocumentOriginal: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getDocumentContent: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getDocumentStats: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  getChunk: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  deleteDocument: ({ memory_id }) => ({ query: `memory_id=${memory_id}` }),
  searchMemory: ({ memory_id, space_id }) => ({ body: { query: 'What did the walker see?', memory_id, space_id } }),
  startWebResearch: ({ memory_id }) => ({ body: { prompt: 'What did the walker see?', memory_id } }),
  startCrawler: ({ memory_id }) => ({
    body: { prompt: 'Collect every bird of https://example.org/ with name and habitat', memory_id },
  }),
  startPeopleSearch: ({ memory_id }) => ({ body: { prompt: 'walkers in Rome', memory_id } }),
  startCompanySearch: ({ memory_id }) => ({ body: { prompt: 'companies in Rome', memory_id } }),
  continueListSearch: ({ run_id }) => ({ body: { thread_id: run_id, total_target: 500 } }),
  stopRun: () => ({}),
  getRunStatus: () => ({}),
  exportReport: () => ({}),
  listRuns: () => ({}),
  listRunEvents: () => ({}),
  listRunSources: () => ({}),
  getSource: () => ({}),
  startResearch: ({ memory_id }) => ({ body: { query: 'What did the walker see?', memory_id } }),
  respondToResearch: () => ({ query: 'response=The+heron' }),
  startDeepSearch: ({ memory_id }) => ({ body: { prompt: 'What did the walker see?', memory_id } }),
  uploadReference: () => ({}),
  listSavedLists: () => ({ query: 'listType=web' }),
  getSavedList: () => ({}),
  listRows: () => ({}),
  exportList: () => ({}),
  streamResearch: () => ({}),
  streamResearchVersioned: () => ({}),
  streamSearchRun: () => ({}),
  connectRun: () => ({}),
  showLivePage: () => ({}),
  streamLivePage: () => ({}),
  streamSearch: ({ memory_id, space_id }) => ({ body: { query: 'What did the walker see?', memory_id, space_id } }),

  exploreGraph: inMemory(),
  listEntities: inMemory(),
  getEntity: inMemory(),
  getEntityLinks: inMemory(),
  getEntityPath: inMemory(),
  getGraphOverview: inMemory(),
  exportDocuments: inMemory(),
  exportGraph: inMemory(),
  exportThreads: inMemory(),
  listContradictions: inMemory(),
  getContradiction: inMemory(),
  resolveContradiction: inMemory({ winner: 'both' }),
  reopenContradiction: inMemory({}),
  listEntityReviews: inMemory(),
  decideEntityReview: inMemory({ decision: 'different' }),
  mergeEntities: (world) => inMemory({ entity_ids: [world.entity_id, world.other_entity_id] })(world),
  splitEntity: (world) => inMemory({ entity_id: world.entity_id, names: ['Otto Quell'] })(world),
  listEntityDecisions: inMemory(),
  undoEntityDecision: inMemory(),
  getMemoryHealth: inMemory(),
  listHealthHistory: inMemory(),
  deleteDocuments: ({ memory_id, space_id }) => ({ body: { filter: { space_id, status: ['failed'] }, memory_id } }),
  retryDocuments: ({ memory_id, space_id }) => ({ body: { filter: { space_id, query: 'walker' }, memory_id } }),
  listDocumentJobs: inMemory(),
  getDocumentJob: inMemory(),
  updateDocument: ({ memory_id }) => ({ body: { metadata: { season: 'spring' }, memory_id } }),
  routeDocument: ({ memory_id }) => ({ body: { space_id: null, memory_id } }),
  callMcp: () => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    headers: { accept: 'application/json, text/event-stream' },
  }),
  listAuditEvents: () => ({ query: 'operation=createWorkspace' }),
  readLlmUsage: () => ({}),
  readRequests: () => ({}),
  readCredits: () => ({}),
  readLimits: () => ({}),
  streamEvents: () => ({ query: 'follow=false&last_event_id=0' }),
  createWebhook: () => ({ body: { url: 'https://hooks.invalid/new', events: ['memory.entity.created'] } }),
  listWebhooks: () => ({}),
  getWebhook: () => ({}),
  updateWebhook: () => ({ body: { description: 'Tells the map of new names' } }),
  deleteWebhook: () => ({}),
  rotateWebhookSecret: () => ({ body: {} }),
  testWebhook: () => ({ body: {} }),
  listDeliveries: () => ({}),
  listAllDeliveries: () => ({}),
  getWebhookStats: () => ({}),
  listWebhookEventTypes: () => ({}),
  getDelivery: () => ({}),
  replayDelivery: () => ({ body: {} }),
  replayDeadLetters: () => ({ body: {} }),
};

/** Those that ask for no credential: whoever cannot say who they are uses them to be able to. */
export const OPEN_OPERATIONS: readonly string[] = [
  'issueOAuthToken',
  'revokeOAuthToken',
  'oauthMetadata',
  'readResourceMetadata',
  'registerAppClient',
  'openSession',
  'readSignIn',
  'startSignIn',
];

/** Those whose answer about a stranger's resource is an empty list instead of 404. */
export const EMPTY_FOR_OTHER_TENANTS: readonly string[] = ['listMemories', 'listSpaces'];

interface WalkedCall {
  method: string;
  path: string;
  body: object | undefined;
  headers: Record<string, string>;
  /** Whether it names a resource that belongs to one tenant. */
  names: boolean;
}

/** The run that an operation of research is about: what only looks is shown one that has ended well. */
export function runFor({ method, response }: Operation, world: TenantFixture): string {
  return method === 'GET' && response.kind !== 'socket' ? world.report_run_id : world.run_id;
}

export function callOf(operation: Operation, world: TenantFixture): WalkedCall {
  const { query, body, headers = {} } = CALLS[operation.id]!(world);
  // What research calls a thread is a run.
  const named = operation.service === 'research' ? { ...world, thread_id: runFor(operation, world) } : world;
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: keyof TenantFixture) => {
    if (world[name] === undefined) throw new Error(`${operation.id}: the world has no ${name}`);
    return named[name];
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
export async function stateOf(call: Call, world: TenantFixture): Promise<unknown> {
  const read = async (path: string) => (await call('GET', `/api/v1${path}`)).body;
  const keys = (await read('/api-keys')).api_keys as Record<string, unknown>[];
  const sessions = (await read('/console/sessions')).sessions as { session_id: string; ended_at: string | null }[];
  return {
    keys: keys.map((key) => ({ ...key, last_used_at: null, usage_count: null })),
    clients: await read('/oauth-clients'),
    apps: await read('/connected-apps'),
    session: sessions.find(({ session_id }) => session_id === world.session_id)?.ended_at,
    providers: await read('/provider-keys'),
    workspaces: await read('/workspaces'),
    memories: await read('/memories'),
    spaces: await read('/spaces'),
    people: await read('/members'),
    invitations: await read('/invitations'),
    members: await read(`/spaces/${world.space_id}/members`),
    threads: await read(`/threads?memory_id=${world.memory_id}`),
    documents: await read(`/memory/documents?memory_id=${world.memory_id}`),
    contradictions: await read(`/memory/contradictions?memory_id=${world.memory_id}`),
    reviews: await read(`/memory/graph/reviews?memory_id=${world.memory_id}`),
    decisions: await read(`/memory/graph/decisions?memory_id=${world.memory_id}`),
    webhooks: await read('/webhooks'),
    deliveries: await read(`/webhooks/${world.webhook_id}/deliveries`),
  };
}
