import type { Operation } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
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
  /** A run that was prepared and stopped, and its list. */
  run_id: string;
  list_id: string;
  /** A run that has written its report. */
  source_id: string;
  report_run_id: string;
  doc_id: string;
  /** A chunk of it. */
  chunk_id: string;
  /** A search that was kept. */
  search_id: string;
  /** A job over documents. */
  job_id: string;
  key_id: string;
  client_id: string;
  /** A session of the console that stands for the world's key. */
  session_id: string;
  webhook_id: string;
  /** A delivery of the webhook. */
  delivery_id: string;
  /** Two things that documents of the space name, merged by the decision. */
  entity_id: string;
  other_entity_id: string;
  /** Two that documents link. */
  source: string;
  target: string;
  decision_id: string;
  contradiction_id: string;
  review_id: string;
  user: string;
  provider: string;
}

/** What they disagree about, what is spelled nearly alike, and two whom a decision makes one. */
const GRAPH_DOCUMENTS = [
  'The list price of the Bolt Reader B7 is €12.00. It is sold in boxes.',
  'Notes. The list price of the Bolt Reader B7 is €14.50 this year.',
  'Ines Carvalhal met Bruno Linde.',
  'Ines Carvalhall met Bruno Linde.',
  'Otto Quell met Vera Zander.',
];

/** Makes a world in the tenant of the call, its document and its thread inside the space. */
export async function makeWorld(call: Call, baseUrl: string, apiKey: string): Promise<World> {
  const made = async (path: string, body: object) => {
    const answer = await call('POST', `/api/v1${path}`, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { workspace } = await made('/workspaces', { name: 'Field station' });
  const memory = await made('/memories', { display_name: 'Field notes', workspace_id: workspace.workspace_id });
  const { memory_id } = memory;
  const space = await made('/spaces', { name: 'Sightings', memory_id });
  const { space_id } = space;
  const thread = await made('/threads', { title: 'Sightings of today', space_id });
  const run = await stoppedRun(call, memory_id);
  const [doc_id] = await ingest(baseUrl, apiKey, [{ content: 'The walker saw a heron.', space_id }], { memory_id });
  const content = await call('GET', `/api/v1/memory/documents/${doc_id}/content?memory_id=${memory_id}`);
  await call('PATCH', `/api/v1/memories/${memory_id}/search-log`, { enabled: true });
  const searched = await call('POST', '/api/v1/memory/search', { query: 'What did the walker see?', space_id });
  const retried = await call('POST', '/api/v1/memory/documents/retry', { filter: { query: 'walker' }, memory_id });
  const graph = await makeGraph(call, memory_id, (documents) =>
    ingest(
      baseUrl,
      apiKey,
      documents.map((content) => ({ content, space_id })),
      { memory_id },
    ),
  );
  await call('PUT', `/api/v1/spaces/${space_id}/members/ada`, { role: 'reader' });
  await call('PUT', '/api/v1/provider-keys/openai', { api_key: 'sk-field-station' });
  // Nobody is there, so the test ping fails and is a delivery that can be named.
  const { webhook_id } = await made('/webhooks', { url: 'https://hooks.invalid/', events: ['memory.entity.created'] });
  const report_run_id = await reportedRun(call, memory_id);
  const read = await call('GET', `/api/v1/search/runs/${report_run_id}/sources`);
  const ping = await call('POST', `/api/v1/webhooks/${webhook_id}/test`, {});
  return {
    workspace_id: workspace.workspace_id,
    memory_id,
    memory_host: `${memory.subdomain}.localhost:${new URL(baseUrl).port}`,
    space_id,
    other_space_id: (await made('/spaces', { name: 'Readings', memory_id })).space_id,
    thread_id: thread.thread_id,
    run_id: run.thread_id,
    list_id: run.list_id,
    report_run_id,
    source_id: read.body.sources[0].source_id,
    doc_id: doc_id!,
    chunk_id: content.body.chunks[0].chunk_id,
    search_id: searched.body.search_id,
    job_id: retried.body.job.job_id,
    key_id: (await made('/api-keys', { name: 'Field station' })).key_id,
    client_id: (await made('/oauth-clients', { name: 'Field station', scopes: ['usage:read'] })).client_id,
    session_id: (await call('POST', '/api/v1/console/sessions', { api_key: apiKey })).body.session_id,
    webhook_id,
    delivery_id: ping.body.delivery_id,
    ...graph,
    user: 'ada',
    provider: 'openai',
  };
}

async function makeGraph(
  call: Call,
  memory_id: string,
  take: (documents: string[]) => Promise<unknown>,
): Promise<
  Pick<World, 'entity_id' | 'other_entity_id' | 'source' | 'target' | 'decision_id' | 'contradiction_id' | 'review_id'>
> {
  await take(GRAPH_DOCUMENTS);
  // Linked a moment after it can be found.
  const first = (path: string, list: string) =>
    eventually(
      async () => (await call('GET', `/api/v1/memory/${path}`)).body[list]?.[0],
      (found) => found !== undefined,
      60_000,
    );
  const named = async (name: string): Promise<string> =>
    (await first(`graph/entities?memory_id=${memory_id}&query=${name}`, 'entities')).entity_id;
  const [entity_id, other_entity_id] = [await named('quell'), await named('linde')];
  const entity_ids = [entity_id, await named('zander')];
  const merged = await call('POST', `/api/v1/memory/graph/merges?memory_id=${memory_id}`, { entity_ids });
  if (merged.status !== 201) throw new Error(JSON.stringify(merged.body));
  return {
    entity_id: merged.body.entity_id,
    other_entity_id,
    source: await named('carvalhal'),
    target: other_entity_id,
    decision_id: merged.body.decision_id,
    contradiction_id: (await first(`contradictions?memory_id=${memory_id}`, 'contradictions')).contradiction_id,
    review_id: (await first(`graph/reviews?memory_id=${memory_id}`, 'reviews')).review_id,
  };
}

async function stoppedRun(call: Call, memory_id: string): Promise<{ thread_id: string; list_id: string }> {
  const body = { prompt: 'What did the walker see?', memory_id, config: { sources: ['memory'] } };
  const started = await call('POST', '/api/v1/search/agent/web-and-research', body);
  if (started.status !== 200) throw new Error(JSON.stringify(started.body));
  await call('POST', `/api/v1/search/workflow/stop/${started.body.thread_id}`, {});
  return started.body;
}

async function reportedRun(call: Call, memory_id: string): Promise<string> {
  const body = { query: 'What did the walker see?', memory_id, config: { sources: ['memory'] } };
  const started = await call('POST', '/api/v1/search/research/start', body);
  const { thread_id } = started.body;
  await eventually(
    async () => (await call('GET', `/api/v1/search/workflow/status/${thread_id}`)).body.status,
    (status) => status === 'completed',
    60_000,
  );
  return thread_id;
}

interface Request {
  query?: string;
  body?: object;
  headers?: Record<string, string>;
}

const inMemory =
  (body?: object) =>
  ({ memory_id }: World): Request => ({
    query: `memory_id=${memory_id}`,
    ...(body === undefined ? {} : { body }),
  });

/**
 * How each operation is called well, about one world; it names a resource wherever it can, and whatever it would
 * change is visible in `stateOf`. An operation without an entry fails the walk.
 */
export const CALLS: Readonly<Record<string, (world: World) => Request>> = {
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
  createSessionTicket: () => ({}),
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
  'openSession',
];

/** Those whose answer about a stranger's resource is an empty list instead of 404. */
export const EMPTY_FOR_STRANGERS: readonly string[] = ['listMemories', 'listSpaces'];

interface WalkedCall {
  method: string;
  path: string;
  body: object | undefined;
  headers: Record<string, string>;
  /** Whether it names a resource that belongs to one tenant. */
  names: boolean;
}

/** The run that an operation of research is about: what only looks is shown one that has ended well. */
export function runFor({ method, response }: Operation, world: World): string {
  return method === 'GET' && response.kind !== 'socket' ? world.report_run_id : world.run_id;
}

export function callOf(operation: Operation, world: World): WalkedCall {
  const { query, body, headers = {} } = CALLS[operation.id]!(world);
  // What research calls a thread is a run.
  const named = operation.service === 'research' ? { ...world, thread_id: runFor(operation, world) } : world;
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: keyof World) => {
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
export async function stateOf(call: Call, world: World): Promise<unknown> {
  const read = async (path: string) => (await call('GET', `/api/v1${path}`)).body;
  const keys = (await read('/api-keys')).api_keys as Record<string, unknown>[];
  const sessions = (await read('/console/sessions')).sessions as { session_id: string; ended_at: string | null }[];
  return {
    keys: keys.map((key) => ({ ...key, last_used_at: null, usage_count: null })),
    clients: await read('/oauth-clients'),
    session: sessions.find(({ session_id }) => session_id === world.session_id)?.ended_at,
    providers: await read('/provider-keys'),
    workspaces: await read('/workspaces'),
    memories: await read('/memories'),
    spaces: await read('/spaces'),
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
