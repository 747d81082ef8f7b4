import { eventually } from '@cairn/testing';
import { ingest, type ApiAnswer } from './api.ts';

/** Calls the API as one caller. */
export type Call = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

/** One of everything that a path or a body can name. */
export interface TenantFixture {
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
  /** A person, and the invitation of another one. */
  member_id: string;
  invitation_id: string;
  /** An app that the owner has connected to the space, the client it is of, and the address it is for. */
  app_id: string;
  app_client_id: string;
  mcp_url: string;
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
export async function createTenantFixture(call: Call, baseUrl: string, apiKey: string): Promise<TenantFixture> {
  const made = async (path: string, body: object) => {
    const answer = await call('POST', `/api/v1${path}`, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { workspace } = await made('/workspaces', { name: 'Field station' });
  const memory = await made('/memories', {
    display_name: 'Field notes',
    workspace_id: workspace.workspace_id,
    keep_originals: true,
  });
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
    member_id: await joined(call),
    invitation_id: (await made('/invitations', { email: 'bea@example.com', role: 'viewer' })).invitation_id,
    ...(await connectedApp(call, `${baseUrl}/api/v1/spaces/${space_id}/mcp`)),
    webhook_id,
    delivery_id: ping.body.delivery_id,
    ...graph,
    user: 'ada',
    provider: 'openai',
  };
}

const APP_REDIRECT = 'http://127.0.0.1/callback';

/** What a client of the Model Context Protocol asks for, with the challenge of RFC 7636's example. */
export function codeRequest({ app_client_id, mcp_url }: Pick<TenantFixture, 'app_client_id' | 'mcp_url'>) {
  return {
    client_id: app_client_id,
    redirect_uri: APP_REDIRECT,
    resource: mcp_url,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
}

export async function registeredClient(call: Call): Promise<string> {
  const registration = { client_name: 'Field notes', redirect_uris: [APP_REDIRECT] };
  return (await call('POST', '/oauth/register', registration)).body.client_id;
}

async function connectedApp(
  call: Call,
  mcp_url: string,
): Promise<Pick<TenantFixture, 'app_id' | 'app_client_id' | 'mcp_url'>> {
  const app_client_id = await registeredClient(call);
  const request = { ...codeRequest({ app_client_id, mcp_url }), scopes: ['spaces:read', 'memory:search'] };
  const made = await call('POST', '/api/v1/oauth/authorizations', request);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return { app_id: made.body.app_id, app_client_id, mcp_url };
}

/** Somebody who has accepted an invitation. */
async function joined(call: Call): Promise<string> {
  const invited = await call('POST', '/api/v1/invitations', { email: 'ada@example.com', role: 'viewer' });
  const proof = { invitation: { secret: invited.body.invitation, name: 'Ada' } };
  return (await call('POST', '/api/v1/console/sessions', proof)).body.key_id;
}

async function makeGraph(
  call: Call,
  memory_id: string,
  take: (documents: string[]) => Promise<unknown>,
): Promise<
  Pick<
    TenantFixture,
    'entity_id' | 'other_entity_id' | 'source' | 'target' | 'decision_id' | 'contradiction_id' | 'review_id'
  >
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
