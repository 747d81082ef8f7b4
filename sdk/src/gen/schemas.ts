// Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.

export interface CreateApiKeyRequest {
  name: string;
  /** `test` acts in the test environment, `ephemeral` lives for 24 hours at most, `memory` is bound to `memory_id`. */
  type?: 'live' | 'test' | 'ephemeral' | 'memory';
  /** What it may do. Default: what the calling key may. */
  scopes?: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** Apps the key may use and how; `{}` is unrestricted. */
  app_permissions?: Record<string, ('read' | 'write')[]>;
  /** Addresses and CIDR ranges the key may be used from; empty means any. */
  ip_allowlist?: string[];
  /** ISO 8601 date-time */
  expires_at?: string;
  /** Of a key of type `memory`: the one that it reaches. */
  memory_id?: string;
  /** Of a key of type `memory`: only this space of it. */
  space_id?: string;
  /** Of its own, below that of the plan. */
  rate_limit?: {
    requests_per_second: number;
    burst: number;
  };
}

export interface UpdateApiKeyRequest {
  name?: string;
  scopes?: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** Apps the key may use and how; `{}` is unrestricted. */
  app_permissions?: Record<string, ('read' | 'write')[]>;
  /** Addresses and CIDR ranges the key may be used from; empty means any. */
  ip_allowlist?: string[];
  expires_at?: string | null;
  rate_limit?: {
    requests_per_second: number;
    burst: number;
  } | null;
}

export interface RotateApiKeyRequest {
  /** How long both keys are good; 0 revokes the old one at once. */
  overlap_seconds?: number;
}

export interface CreateOAuthClientRequest {
  name: string;
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
}

export interface IssueOAuthTokenRequest {
  client_id?: string;
  client_secret?: string;
  /** `client_credentials`, `authorization_code` or `refresh_token` */
  grant_type?: string;
  code?: string;
  /** The one that the code was led to. */
  redirect_uri?: string;
  code_verifier?: string;
  refresh_token?: string;
  /** Of RFC 8707: the MCP endpoint that the app was connected to. */
  resource?: string;
  /** Separated by spaces; all of the client's when left out. */
  scope?: string;
}

export interface RevokeOAuthTokenRequest {
  client_id?: string;
  client_secret?: string;
  token?: string;
  token_type_hint?: string;
}

export interface RegisterAppClientRequest {
  /** Each https, or http on the loopback interface, where the port may differ. */
  redirect_uris: string[];
  client_name?: string;
}

export interface AuthorizeAppRequest {
  /** As registered, or the https address of a client id metadata document. */
  client_id: string;
  redirect_uri: string;
  /** Of RFC 8707: the `mcp_url` of the space. */
  resource: string;
  code_challenge: string;
  code_challenge_method: 'S256';
  state?: string;
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
}

export interface OpenSessionRequest {
  api_key?: string;
  ticket?: string;
  /** Where no identity provider is configured. */
  invitation?: {
    secret: string;
    name: string;
  };
  /** What the identity provider added to the address that it led the browser back to. */
  sign_in?: {
    /** `attempt` of startSignIn. */
    attempt: string;
    code: string;
    state: string;
    iss?: string;
  };
}

export interface StartSignInRequest {
  /** The secret of the invitation to accept, for whoever is a member elsewhere already. */
  invitation?: string;
  /** Which one, for whoever is a member of several tenants; otherwise the one signed in as last. Only members whose account is linked. */
  member_id?: string;
}

export interface UpdateMemberRequest {
  /** A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything. */
  role?: 'owner' | 'admin' | 'developer' | 'reviewer' | 'viewer';
  name?: string;
}

export interface CreateInvitationRequest {
  email: string;
  /** A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything. */
  role: 'owner' | 'admin' | 'developer' | 'reviewer' | 'viewer';
}

export interface CreateWorkspaceRequest {
  name: string;
  description?: string;
  slug?: string;
}

export interface UpdateWorkspaceRequest {
  name?: string;
  description?: string;
  slug?: string;
}

export interface CreateMemoryRequest {
  display_name: string;
  /** `dedicated`: with a PostgreSQL server of its own. */
  type?: 'shared' | 'dedicated';
  workspace_id?: string;
  /** What is masked before anything is stored; `pii`: secrets and personal data. */
  dlp_policy?: 'off' | 'secrets' | 'pii';
  /** Keep what is handed in, encrypted, so that it can be downloaded; it counts as stored. */
  keep_originals?: boolean;
}

export interface UpdateMemoryRequest {
  display_name?: string;
  dlp_policy?: 'off' | 'secrets' | 'pii';
  keep_originals?: boolean;
  /** A suspended memory keeps its data and refuses every call about it. */
  status?: 'active' | 'suspended';
}

export interface CreateSpaceRequest {
  name: string;
  /** Default: the default workspace's primary memory. */
  memory_id?: string;
  /** What belongs here; documents without a space are routed by it. */
  description?: string;
  slug?: string;
}

export interface UpdateSpaceRequest {
  name?: string;
  /** What belongs here; documents without a space are routed by it. */
  description?: string;
  slug?: string;
}

export interface PutSpaceMemberRequest {
  role: 'reader' | 'writer';
}

export interface PutProviderKeyRequest {
  api_key: string;
  base_url?: string;
}

export type TestProviderKeyRequest = Record<string, unknown>;

export interface CreateThreadRequest {
  title?: string;
  /** Default: the space's, the key's, else the default workspace's primary memory. */
  memory_id?: string;
  /** Default: the key's space, else none. */
  space_id?: string;
  /** Whom usage of the conversation counts for. */
  user?: string;
}

export interface UpdateThreadRequest {
  title?: string;
}

export interface AddTurnRequest {
  role: 'user' | 'assistant';
  content: string;
}

export interface IngestDocumentsRequest {
  /** The text itself: plain text, Markdown, HTML, CSV, JSON or an e-mail, told by content. */
  content?: string;
  /** Where to fetch the document. Sending the same address again fetches it again. */
  url?: string;
  title?: string;
  /** Your own id; a later document with it replaces this one. */
  external_id?: string;
  /** Without it the document is routed by what it says. */
  space_id?: string;
  /** Your own fields, which searches can filter by. */
  metadata?: Record<string, string | number | boolean | null | string[]>;
  /** Of when the document is: “last week” in a question means this time. */
  occurred_at?: string;
  documents?: NewDocument[];
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface NewDocument {
  /** The text itself: plain text, Markdown, HTML, CSV, JSON or an e-mail, told by content. */
  content?: string;
  /** Where to fetch the document. Sending the same address again fetches it again. */
  url?: string;
  title?: string;
  /** Your own id; a later document with it replaces this one. */
  external_id?: string;
  /** Without it the document is routed by what it says. */
  space_id?: string;
  /** Your own fields, which searches can filter by. */
  metadata?: Record<string, string | number | boolean | null | string[]>;
  /** Of when the document is: “last week” in a question means this time. */
  occurred_at?: string;
}

export interface IngestDocumentsUpload {
  file: string;
  title?: string;
  /** Your own id; a later document with it replaces this one. */
  external_id?: string;
  /** Without it the document is routed by what it says. */
  space_id?: string;
  metadata?: string;
  /** Of when the document is: “last week” in a question means this time. */
  occurred_at?: string;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface UpdateDocumentRequest {
  title?: string;
  /** Takes the place of all metadata that the document has. */
  metadata?: Record<string, string | number | boolean | null | string[]>;
  /** Null: the document has no time. */
  occurred_at?: string | null;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface DeleteDocumentsRequest {
  doc_ids?: string[];
  filter?: DocumentFilter;
  /** Only count what the job would be about. */
  dry_run?: boolean;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

/** The conditions of the list of documents; all must hold. */
export interface DocumentFilter {
  status?: ('queued' | 'parsing' | 'screening' | 'routing' | 'indexing' | 'linking' | 'completed' | 'failed')[];
  space_id?: string;
  external_id?: string;
  /** Part of the title or of the external id, in any case of letters. */
  query?: string;
  needs_review?: boolean;
}

export interface RetryDocumentsRequest {
  doc_ids?: string[];
  filter?: FailedDocumentFilter;
  /** Only count what the job would be about. */
  dry_run?: boolean;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

/** Failed documents for which all conditions hold. */
export interface FailedDocumentFilter {
  status?: 'failed'[];
  space_id?: string;
  external_id?: string;
  /** Part of the title or of the external id, in any case of letters. */
  query?: string;
  needs_review?: boolean;
}

export interface ResolveContradictionRequest {
  /** The fact that holds, or `both`. */
  winner: string;
  note?: string;
}

export interface ReopenContradictionRequest {
  note?: string;
}

export interface DecideEntityReviewRequest {
  decision: 'same' | 'different';
}

export interface MergeEntitiesRequest {
  entity_ids: string[];
}

export interface SplitEntityRequest {
  entity_id: string;
  names?: string[];
  doc_ids?: string[];
}

export interface RouteDocumentRequest {
  /** The space it belongs in; null for none of them. */
  space_id: string | null;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface SearchMemoryRequest {
  query: string;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Only this space. Default: the key's space, else the whole memory. */
  space_id?: string;
  /** How many passages `results` has. */
  top_k?: number;
  /** Only passages of documents that it holds for: `{field, op, value}`, nested by `and`, `or` and `not`. Fields are `metadata.<key>`, `occurred_at`, `created_at`, `vault_id` and `doc_id`. */
  filters?: SearchFilter;
  /** Earlier turns help to understand the question; question and answer become turns of it. */
  thread_id?: string;
  /** Whom model usage counts for. Default: the thread's user. */
  user?: string;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, an extractive answer. */
  llm_model?: string;
  /** The clock that “yesterday” or “last week” in the query refers to. Default: now. */
  as_of?: string;
  /** Adds to each result which signals made its score. */
  explain?: boolean;
}

export type SearchFilter =
  | {
      field: string;
      op: 'eq' | 'ne' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists';
      value: string | number | boolean | null | (string | number | boolean | null)[];
    }
  | {
      and: SearchFilter[];
    }
  | {
      or: SearchFilter[];
    }
  | {
      not: SearchFilter;
    };

export interface StreamSearchRequest {
  query: string;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Only this space. Default: the key's space, else the whole memory. */
  space_id?: string;
  /** How many passages `results` has. */
  top_k?: number;
  /** Only passages of documents that it holds for: `{field, op, value}`, nested by `and`, `or` and `not`. Fields are `metadata.<key>`, `occurred_at`, `created_at`, `vault_id` and `doc_id`. */
  filters?: SearchFilter;
  /** Earlier turns help to understand the question; question and answer become turns of it. */
  thread_id?: string;
  /** Whom model usage counts for. Default: the thread's user. */
  user?: string;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, an extractive answer. */
  llm_model?: string;
  /** The clock that “yesterday” or “last week” in the query refers to. Default: now. */
  as_of?: string;
  /** Adds to each result which signals made its score. */
  explain?: boolean;
}

export interface UpdateSearchLogRequest {
  enabled?: boolean;
  /** 1–365; 30 unless set. Applies to what is there, too. */
  keep_days?: number;
}

export interface RateSearchRequest {
  helpful: boolean;
  comment?: string;
  memory_id?: string;
}

export interface StartWebResearchRequest {
  prompt: string;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline. */
  llm_model?: string;
  /** Also make a page where a person watches the run. */
  live_url?: boolean;
  /** Send web traffic through the operator's proxy. */
  proxy?: boolean;
  /** `now` starts the run with this call; it is followed by its WebSocket or its event stream all the same. */
  start?: 'on_connect' | 'now';
  /** The memory that is searched. Default: the default workspace's primary memory. */
  memory_id?: string;
  config?: {
    /** Sites to read, besides those in the prompt. */
    seeds?: string[];
    /** Where to look. `["memory"]` never opens a connection. */
    sources?: ('memory' | 'web')[];
    max_pages?: number;
    max_depth?: number;
    max_seconds?: number;
    max_tokens?: number;
    max_cost_usd?: number;
  };
  /** Whose usage this is. */
  user?: string;
}

export interface StartCrawlerRequest {
  prompt: string;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline. */
  llm_model?: string;
  /** Send web traffic through the operator's proxy. */
  proxy?: boolean;
  /** `now` starts the run with this call; it is followed by its WebSocket or its event stream all the same. */
  start?: 'on_connect' | 'now';
  /** The memory that is searched. Default: the default workspace's primary memory. */
  memory_id?: string;
  config?: {
    /** Sites to read, besides those in the prompt. */
    seeds?: string[];
    /** Where to look. `["memory"]` never opens a connection. */
    sources?: ('memory' | 'web')[];
    max_pages?: number;
    max_depth?: number;
    max_seconds?: number;
    max_tokens?: number;
    max_cost_usd?: number;
  };
  /** Whose usage this is. */
  user?: string;
}

export interface StartPeopleSearchRequest {
  prompt: string;
  list_name?: string;
  list_description?: string;
  /** How far it looks before it ends. */
  search_mode?: 'fast' | 'standard' | 'deep';
  /** Rows at most. Default: 10, 25 or 100 by `search_mode`. */
  total_target?: number;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline. */
  llm_model?: string;
  /** The memory that is searched. Default: the default workspace's primary memory. */
  memory_id?: string;
  config?: {
    /** Sites to read, besides those in the prompt. */
    seeds?: string[];
    /** Where to look. `["memory"]` never opens a connection. */
    sources?: ('memory' | 'web')[];
    max_pages?: number;
    max_depth?: number;
    max_seconds?: number;
    max_tokens?: number;
    max_cost_usd?: number;
  };
  /** Whose usage this is. */
  user?: string;
}

export interface StartCompanySearchRequest {
  prompt: string;
  list_name?: string;
  list_description?: string;
  /** How far it looks before it ends. */
  search_mode?: 'fast' | 'standard' | 'deep';
  /** Rows at most. Default: 10, 25 or 100 by `search_mode`. */
  total_target?: number;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline. */
  llm_model?: string;
  /** The memory that is searched. Default: the default workspace's primary memory. */
  memory_id?: string;
  config?: {
    /** Sites to read, besides those in the prompt. */
    seeds?: string[];
    /** Where to look. `["memory"]` never opens a connection. */
    sources?: ('memory' | 'web')[];
    max_pages?: number;
    max_depth?: number;
    max_seconds?: number;
    max_tokens?: number;
    max_cost_usd?: number;
  };
  /** Whose usage this is. */
  user?: string;
}

export interface ContinueListSearchRequest {
  thread_id: string;
  total_target: number;
}

export interface StartResearchRequest {
  query: string;
  /** Whether the run may ask a question; it waits ten minutes for the answer. */
  allow_clarification?: boolean;
  /** Recorded with the charge. */
  serviceId?: string;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline. */
  llm_model?: string;
  /** The memory that is searched. Default: the default workspace's primary memory. */
  memory_id?: string;
  config?: {
    /** Sites to read, besides those in the prompt. */
    seeds?: string[];
    /** Where to look. `["memory"]` never opens a connection. */
    sources?: ('memory' | 'web')[];
    max_pages?: number;
    max_depth?: number;
    max_seconds?: number;
    max_tokens?: number;
    max_cost_usd?: number;
  };
  /** Whose usage this is. */
  user?: string;
}

export interface StartDeepSearchRequest {
  prompt: string;
  /** One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline. */
  llm_model?: string;
  /** Also make a page where a person watches the run. */
  live_url?: boolean;
  /** Send web traffic through the operator's proxy. */
  proxy?: boolean;
  /** `now` starts the run with this call; it is followed by its WebSocket or its event stream all the same. */
  start?: 'on_connect' | 'now';
  /** Of a run that has asked: `prompt` is the answer. */
  thread_id?: string;
  /** The list of that run. */
  list_id?: string;
  /** The memory that is searched. Default: the default workspace's primary memory. */
  memory_id?: string;
  config?: {
    /** Sites to read, besides those in the prompt. */
    seeds?: string[];
    /** Where to look. `["memory"]` never opens a connection. */
    sources?: ('memory' | 'web')[];
    max_pages?: number;
    max_depth?: number;
    max_seconds?: number;
    max_tokens?: number;
    max_cost_usd?: number;
  };
  /** Whose usage this is. */
  user?: string;
}

export interface UploadReferenceUpload {
  file: string;
  thread_id: string;
}

/** A JSON-RPC message of the Model Context Protocol; one a request. */
export type CallMcpRequest = unknown;

export interface CreateWebhookRequest {
  /** HTTPS endpoint; without user information. */
  url: string;
  /** Names of the events that are delivered. */
  events: (
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed'
  )[];
  description?: string;
  active?: boolean;
  /** Deliver dead letters again by itself once the endpoint answers again; each at most three times. */
  auto_replay?: boolean;
}

export interface UpdateWebhookRequest {
  /** HTTPS endpoint; without user information. */
  url?: string;
  /** Names of the events that are delivered. */
  events?: (
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed'
  )[];
  description?: string;
  active?: boolean;
  /** Deliver dead letters again by itself once the endpoint answers again; each at most three times. */
  auto_replay?: boolean;
}

export interface RotateWebhookSecretRequest {
  /** How long the old secret goes on signing; 0 ends it, and a rotation under way, at once. */
  overlap_seconds?: number;
}

export interface TestWebhookRequest {
  /** Whether it is subscribed to or not. */
  event?:
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed';
}

export type ReplayDeliveryRequest = Record<string, unknown>;

export interface ReplayDeadLettersRequest {
  /** Only these; without it all. */
  delivery_ids?: string[];
  event?:
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed';
}

export interface Whoami {
  credential: CallingCredential;
  /** The person who is signed in; null for other credentials. */
  member: {
    member_id: string;
    email: string;
    name: string;
    role: 'owner' | 'admin' | 'developer' | 'reviewer' | 'viewer';
    /** Signs in with an account at the identity provider. */
    linked: boolean;
  } | null;
  tenant: {
    tenant_id: string;
    name: string;
    plan: string;
  };
  version: string;
  features: Features | null;
}

export interface CallingCredential {
  kind: 'live' | 'test' | 'ephemeral' | 'memory' | 'member' | 'oauth';
  /** The key, the member, or the OAuth client that the token was issued to. */
  id: string;
  name: string;
  /** The first 12 characters of a key; null for members, and for OAuth tokens, of which none is kept. */
  prefix: string | null;
  environment: 'live' | 'test';
  /** For an OAuth token those of the token. */
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** Apps the key may use and how; `{}` is unrestricted. */
  app_permissions: Record<string, ('read' | 'write')[]>;
  ip_allowlist: string[];
  /** The only memory that it reaches. */
  memory_id: string | null;
  /** The only space that it reaches. */
  space_id: string | null;
  /** Null: the plan's. */
  rate_limit: {
    requests_per_second: number;
    burst: number;
  } | null;
  expires_at: string | null;
  /** When the key, having been rotated, is revoked by itself. */
  revokes_at: string | null;
}

export interface Features {
  /** What `llm_model` takes, the default first. Empty: answers are made without a model. */
  language_models: string[];
  /** Searches also compare meanings, by an embedding model. */
  embeddings: boolean;
  reranking: boolean;
  /** Runs may ask a search engine of the web. */
  web_search: boolean;
  /** `proxy: true` is possible. */
  proxy: boolean;
}

/** RFC 9457 problem details. */
export interface Problem {
  /** The address of the page about the error, at the gateway’s host. */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** One of the codes of `/docs/errors`; stable. */
  code: string;
  request_id: string;
  errors?: {
    path: string;
    message: string;
  }[];
  upgrade?: Record<string, unknown>;
}

export interface ListAuditEventsResponse {
  audit_events: AuditEvent[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface AuditEvent {
  audit_id: string;
  /** When the request reached the service. */
  occurred_at: string;
  /** The operation's id, as this document names it. */
  operation: string;
  actor: {
    /** The key, the member, or the client of an OAuth token. */
    id: string;
    kind: 'live' | 'test' | 'ephemeral' | 'memory' | 'member' | 'oauth';
    /** What was presented: the key, the single token, or the session of the console. */
    credential_id: string;
  };
  /** The ids in the path, and up to 100 that the answer named, such as the new key's. */
  targets: {
    /** The field or parameter that held it, for instance `key_id`. */
    name: string;
    id: string;
  }[];
  /** HTTP status of the answer; that of success when the service ended before it answered. */
  status: number;
  /** As the gateway saw it. */
  client_address: string | null;
  request_id: string;
}

export interface ApiKeyWithPlaintext {
  key_id: string;
  name: string;
  /** The first 12 characters of the key. */
  prefix: string;
  type: 'live' | 'test' | 'ephemeral' | 'memory';
  livemode: boolean;
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** Apps the key may use and how; `{}` is unrestricted. */
  app_permissions: Record<string, ('read' | 'write')[]>;
  ip_allowlist: string[];
  memory_id: string | null;
  space_id: string | null;
  rate_limit: {
    requests_per_second: number;
    burst: number;
  } | null;
  /** The key that it was minted below; null for the first keys of a tenant. */
  parent_key_id: string | null;
  rotated_from: {
    /** The key that it replaced. */
    key_id: string;
    /** The key that asked for the replacement. */
    rotated_by: string;
  } | null;
  /** ISO 8601 date-time */
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
  expires_at: string | null;
  /** When the key, having been rotated, will be revoked by itself. */
  revokes_at: string | null;
  revoked_at: string | null;
  /** The key itself. In the answer that made it and never again. */
  api_key?: string;
}

export interface ListApiKeysResponse {
  api_keys: ApiKey[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface ApiKey {
  key_id: string;
  name: string;
  /** The first 12 characters of the key. */
  prefix: string;
  type: 'live' | 'test' | 'ephemeral' | 'memory';
  livemode: boolean;
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** Apps the key may use and how; `{}` is unrestricted. */
  app_permissions: Record<string, ('read' | 'write')[]>;
  ip_allowlist: string[];
  memory_id: string | null;
  space_id: string | null;
  rate_limit: {
    requests_per_second: number;
    burst: number;
  } | null;
  /** The key that it was minted below; null for the first keys of a tenant. */
  parent_key_id: string | null;
  rotated_from: {
    /** The key that it replaced. */
    key_id: string;
    /** The key that asked for the replacement. */
    rotated_by: string;
  } | null;
  /** ISO 8601 date-time */
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
  expires_at: string | null;
  /** When the key, having been rotated, will be revoked by itself. */
  revokes_at: string | null;
  revoked_at: string | null;
}

export interface RevokeApiKeyResponse {
  key_id: string;
  revoked: true;
  /** ISO 8601 date-time */
  revoked_at: string;
  /** With `descendants=true`: everything that came of the key and is revoked. */
  descendants?: {
    members: string[];
    api_keys: string[];
    oauth_clients: string[];
  };
}

export interface RotatedApiKey {
  key_id: string;
  name: string;
  /** The first 12 characters of the key. */
  prefix: string;
  type: 'live' | 'test' | 'ephemeral' | 'memory';
  livemode: boolean;
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** Apps the key may use and how; `{}` is unrestricted. */
  app_permissions: Record<string, ('read' | 'write')[]>;
  ip_allowlist: string[];
  memory_id: string | null;
  space_id: string | null;
  rate_limit: {
    requests_per_second: number;
    burst: number;
  } | null;
  /** The key that it was minted below; null for the first keys of a tenant. */
  parent_key_id: string | null;
  rotated_from: {
    key_id: string;
    rotated_by: string;
    /** ISO 8601 date-time */
    revokes_at: string;
  };
  /** ISO 8601 date-time */
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
  expires_at: string | null;
  /** When the key, having been rotated, will be revoked by itself. */
  revokes_at: string | null;
  revoked_at: string | null;
  /** The key itself. In the answer that made it and never again. */
  api_key?: string;
}

export interface OAuthClientWithSecret {
  client_id: string;
  name: string;
  livemode: boolean;
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** The key that made it. */
  parent_key_id: string;
  /** ISO 8601 date-time */
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
  /** When its tokens end at the latest: with the key that made it. */
  expires_at: string | null;
  revoked_at: string | null;
  /** The secret itself. In the answer that made it and never again. */
  client_secret?: string;
}

export interface ListOAuthClientsResponse {
  oauth_clients: OAuthClient[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface OAuthClient {
  client_id: string;
  name: string;
  livemode: boolean;
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** The key that made it. */
  parent_key_id: string;
  /** ISO 8601 date-time */
  created_at: string;
  last_used_at: string | null;
  usage_count: number;
  /** When its tokens end at the latest: with the key that made it. */
  expires_at: string | null;
  revoked_at: string | null;
}

export interface RevokeOAuthClientResponse {
  client_id: string;
  revoked: true;
  /** ISO 8601 date-time */
  revoked_at: string;
}

export interface IssueOAuthTokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  scope: string;
  /** Of a connected app; it can be used once. */
  refresh_token?: string;
}

/** RFC 6749, section 5.2. */
export interface OAuthError {
  error: string;
  error_description?: string;
}

export type RevokeOAuthTokenResponse = Record<string, unknown>;

export interface OauthMetadataResponse {
  issuer: string;
  authorization_endpoint: string;
  registration_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
  grant_types_supported: string[];
  response_types_supported: string[];
  scopes_supported: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  token_endpoint_auth_methods_supported: string[];
  revocation_endpoint_auth_methods_supported: string[];
  code_challenge_methods_supported: string[];
  authorization_response_iss_parameter_supported: boolean;
  client_id_metadata_document_supported: boolean;
  service_documentation: string;
}

export interface ReadResourceMetadataResponse {
  resource: string;
  authorization_servers: string[];
  scopes_supported: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  bearer_methods_supported: string[];
  resource_name: string;
}

export interface RegisterAppClientResponse {
  client_id: string;
  /** Seconds since 1970. */
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: string[];
  token_endpoint_auth_method: 'none';
  grant_types: string[];
  response_types: string[];
}

export interface AuthorizationPreview {
  client: {
    client_id: string;
    /** As the client calls itself; nobody has checked it. */
    name: string;
    /** Where the browser is led with the code. */
    redirect_host: string;
    /** It is led to a program on the device of the browser. */
    on_this_device: boolean;
  };
  space: {
    space_id: string;
    name: string;
    memory_id: string;
  };
  /** What can be granted. */
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** Where the browser is led by whoever refuses. */
  denied_url: string;
}

export interface AppAuthorization {
  app_id: string;
  redirect_to: string;
}

export interface ConnectedAppPage {
  connected_apps: ConnectedApp[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface ConnectedApp {
  app_id: string;
  client_id: string;
  client_name: string;
  /** The key or the member that connected it. */
  key_id: string;
  key_name: string;
  memory_id: string;
  space_id: string;
  /** What was granted; what the key or member no longer holds does not count. */
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** ISO 8601 date-time */
  connected_at: string;
  /** When it last fetched a token. */
  last_used_at: string | null;
  /** When it ends unless it fetches a token before. */
  expires_at: string;
  disconnected_at: string | null;
}

export interface DisconnectedApp {
  app_id: string;
  disconnected: true;
  /** ISO 8601 date-time */
  disconnected_at: string;
}

export interface Session {
  session_id: string;
  /** The key or the member that it stands for: it may do what that may, and ends with it. */
  key_id: string;
  /** The name of that key or member. */
  key_name: string;
  livemode: boolean;
  /** From where it was opened. */
  address: string;
  user_agent: string;
  /** ISO 8601 date-time */
  created_at: string;
  /** To within some minutes. */
  last_used_at: string;
  /** When it ends unless it is used before. */
  expires_at: string;
  /** When it ends at the latest. */
  ends_at: string;
  ended_at: string | null;
  /** The request was made with it. */
  current: boolean;
}

export interface SessionPage {
  sessions: Session[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface SignInOptions {
  /** Null: none is configured. */
  provider: {
    /** As the operator calls it. */
    name: string;
  } | null;
}

export interface SignInAttempt {
  url: string;
  /** A secret of this browser; whoever lacks it cannot finish. */
  attempt: string;
  /** ISO 8601 date-time */
  expires_at: string;
}

export interface EndedSession {
  session_id: string;
  ended: true;
  /** ISO 8601 date-time */
  ended_at: string;
}

export interface SessionTicket {
  /** In this answer and never again. */
  ticket: string;
  url: string;
  /** ISO 8601 date-time */
  expires_at: string;
}

export interface MemberPage {
  members: Member[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface Member {
  /** Also the `actor.id` of what the member changed. */
  member_id: string;
  /** Empty, as the name, 400 days after the removal. */
  email: string;
  name: string;
  /** A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything. */
  role: 'owner' | 'admin' | 'developer' | 'reviewer' | 'viewer';
  /** What the role allows this member. */
  scopes: (
    | 'keys:read'
    | 'keys:write'
    | 'oauth:read'
    | 'oauth:write'
    | 'workspaces:read'
    | 'workspaces:write'
    | 'memories:read'
    | 'memories:write'
    | 'spaces:read'
    | 'spaces:write'
    | 'threads:read'
    | 'threads:write'
    | 'documents:read'
    | 'documents:write'
    | 'graph:read'
    | 'graph:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'providers:read'
    | 'providers:write'
    | 'memory:search'
    | 'usage:read'
    | 'search:run'
    | 'lists:read'
    | 'members:read'
    | 'members:write'
    | 'owners:write'
  )[];
  /** The member or the key that invited it. */
  invited_by: string;
  /** Signs in with an account at the identity provider. */
  linked: boolean;
  /** ISO 8601 date-time */
  created_at: string;
  last_signed_in_at: string | null;
  removed_at: string | null;
}

export interface RemovedMember {
  member_id: string;
  removed: true;
  /** ISO 8601 date-time */
  removed_at: string;
  /** With `descendants=true`: everything that came of the member and is revoked. */
  descendants?: {
    members: string[];
    api_keys: string[];
    oauth_clients: string[];
  };
}

export interface MemberTicket {
  member_id: string;
  /** In this answer and never again. */
  ticket: string;
  url: string;
  /** ISO 8601 date-time */
  expires_at: string;
}

export interface InvitationWithLink {
  invitation_id: string;
  email: string;
  /** A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything. */
  role: 'owner' | 'admin' | 'developer' | 'reviewer' | 'viewer';
  status: 'open' | 'accepted' | 'revoked' | 'expired';
  /** The member or the key that made it; it is void when that ends. */
  invited_by: string;
  /** Who accepted it. */
  member_id: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  expires_at: string;
  /** The secret of the link. In the answer that made it and never again. */
  invitation?: string;
  /** Leads a browser to the console with the secret behind the `#`. */
  url?: string;
}

export interface InvitationPage {
  invitations: Invitation[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface Invitation {
  invitation_id: string;
  email: string;
  /** A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything. */
  role: 'owner' | 'admin' | 'developer' | 'reviewer' | 'viewer';
  status: 'open' | 'accepted' | 'revoked' | 'expired';
  /** The member or the key that made it; it is void when that ends. */
  invited_by: string;
  /** Who accepted it. */
  member_id: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  expires_at: string;
}

export interface CreateWorkspaceResponse {
  workspace: Workspace;
}

export interface Workspace {
  workspace_id: string;
  tenant_id: string;
  name: string;
  description: string;
  slug: string;
  is_default: boolean;
  primary_memory_id: string;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
}

export interface ListWorkspacesResponse {
  workspaces: Workspace[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface GetWorkspaceResponse {
  workspace: Workspace;
}

export interface UpdateWorkspaceResponse {
  workspace: Workspace;
}

export interface DeleteWorkspaceResponse {
  workspace_id: string;
  deleted: true;
}

export interface Memory {
  memory_id: string;
  workspace_id: string;
  display_name: string;
  type: 'shared' | 'dedicated';
  status: 'provisioning' | 'active' | 'suspended' | 'deleting' | 'failed';
  /** Why a memory is `failed`; null otherwise. */
  status_reason: string | null;
  memory_serial: number;
  subdomain: string;
  dlp_policy: 'off' | 'secrets' | 'pii';
  /** What is handed in is kept, encrypted, and can be downloaded. */
  keep_originals: boolean;
  /** ISO 8601 date-time */
  created_at: string;
}

export interface ListMemoriesResponse {
  memories: Memory[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface Space {
  space_id: string;
  name: string;
  slug: string;
  description: string;
  /** Where the documents of the space lie. */
  vault_id: string;
  memory_id: string;
  member_count: number;
  /** The MCP endpoint of the space, from the base address. */
  mcp_url: string;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
}

export interface ListSpacesResponse {
  spaces: Space[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface DeleteSpaceResponse {
  space_id: string;
  deleted: true;
}

export interface ListSpaceMembersResponse {
  members: SpaceMember[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface SpaceMember {
  user: string;
  role: 'reader' | 'writer';
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
}

export interface DeleteSpaceMemberResponse {
  space_id: string;
  user: string;
  deleted: true;
}

export interface ProviderKey {
  provider: string;
  base_url: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
}

export interface DeleteProviderKeyResponse {
  provider: string;
  deleted: true;
}

export interface ListProviderKeysResponse {
  provider_keys: ProviderKey[];
}

export interface ProviderKeyTest {
  provider: string;
  ok: boolean;
  failure:
    | 'provider_not_configured'
    | 'address_refused'
    | 'unreachable'
    | 'timed_out'
    | 'key_refused'
    | 'rate_limited'
    | 'provider_error'
    | 'unexpected_answer'
    | null;
  /** A sentence about the outcome. */
  detail: string;
  /** The provider's HTTP status, if it answered. */
  status: number | null;
  /** Empty unless `ok`. */
  models: {
    model: string;
    listed: boolean;
  }[];
  took_ms: number;
}

export interface ListModelsResponse {
  models: OfferedModel[];
}

export interface OfferedModel {
  /** What `llm_model` takes; provider and model for the others. */
  id: string;
  provider: string;
  /** What the provider calls it. */
  model: string;
  kind: 'language' | 'embedding' | 'reranking';
  /** Used where a request names no model. */
  default: boolean;
  /** Today's prices; null when the model has none, and so no known cost. */
  price: {
    /** US dollars per million tokens. */
    input: number;
    /** US dollars per million tokens. */
    output: number;
    /** US dollars per million tokens. */
    cached_input: number;
  } | null;
  /** `own_key`: the tenant's own key of the provider is used, and no credits are charged. */
  billed_to: 'own_key' | 'platform' | null;
  /** `no_key`: neither the tenant nor, for it, the operator has a key of the provider. */
  state: 'available' | 'no_key';
}

export interface Thread {
  thread_id: string;
  title: string;
  memory_id: string;
  space_id: string | null;
  vault_id: string;
  user: string | null;
  turn_count: number;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
}

export interface ListThreadsResponse {
  threads: Thread[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface DeleteThreadResponse {
  thread_id: string;
  deleted: true;
}

export interface Turn {
  turn_id: string;
  thread_id: string;
  role: 'user' | 'assistant';
  content: string;
  /** ISO 8601 date-time */
  created_at: string;
}

export interface ListTurnsResponse {
  turns: Turn[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface IngestDocumentsResponse {
  documents: {
    doc_id: string;
    status: 'queued' | 'parsing' | 'screening' | 'routing' | 'indexing' | 'linking' | 'completed' | 'failed';
    vault_id: string;
  }[];
}

export interface ListDocumentsResponse {
  documents: Document[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface Document {
  doc_id: string;
  memory_id: string;
  vault_id: string;
  space_id: string | null;
  external_id: string | null;
  title: string;
  status: 'queued' | 'parsing' | 'screening' | 'routing' | 'indexing' | 'linking' | 'completed' | 'failed';
  error: {
    code: string;
    message: string;
  } | null;
  /** While the document is on its way; null afterwards. */
  progress: DocumentProgress | null;
  /** Null for a document whose space was named. */
  routing: DocumentRouting | null;
  /** What screening masked: counts, never values. */
  masked: {
    kind: string;
    count: number;
  }[];
  metadata: Record<string, unknown>;
  media_type: string;
  bytes: number;
  /** What was handed in, if it is kept; null otherwise. */
  original: {
    bytes: number;
  } | null;
  chunks: number;
  source_uri: string | null;
  occurred_at: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
  completed_at: string | null;
}

export interface DocumentProgress {
  step: 'queued' | 'parsing' | 'screening' | 'routing' | 'indexing' | 'linking' | 'completed' | 'failed';
  attempts: number;
  /** Why the attempt before was given up. */
  cause: string | null;
  next_attempt_at: string | null;
}

export interface DocumentRouting {
  /** 0 to 1: the winner’s share of winner and runner-up. */
  confidence: number;
  /** The winner was not at least twice the runner-up. */
  needs_review: boolean;
  reviewed_at: string | null;
}

export interface DocumentStats {
  memory_id: string;
  /** How many documents. */
  total: number;
  by_status: {
    status: 'queued' | 'parsing' | 'screening' | 'routing' | 'indexing' | 'linking' | 'completed' | 'failed';
    /** How many documents. */
    documents: number;
  }[];
  /** Failed documents by `error.code`, the most frequent first. */
  by_error: {
    code: string;
    /** How many documents. */
    documents: number;
  }[];
  /** The most frequent first, at most 100; null for documents in no space. */
  by_space: {
    space_id: string | null;
    /** How many documents. */
    documents: number;
  }[];
  /** The most frequent first, at most 100. */
  by_media_type: {
    media_type: string;
    /** How many documents. */
    documents: number;
  }[];
  /** Since when the document that waits longest has been waiting; null when none waits. */
  oldest_waiting_at: string | null;
  /** How many documents. */
  completed_last_minute: number;
  /** How many documents. */
  completed_last_hour: number;
}

export interface DeleteDocumentResponse {
  doc_id: string;
  deleted: true;
}

export interface StartedDocumentJob {
  /** Documents that the job is about. */
  documents: number;
  /** Null with `dry_run`. */
  job: DocumentJob | null;
}

export interface DocumentJob {
  job_id: string;
  memory_id: string;
  kind: 'delete' | 'retry';
  status: 'running' | 'completed';
  /** What the job was about when it was made. */
  documents: number;
  done: number;
  /** Documents with which nothing could be done. */
  failed: number;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
  completed_at: string | null;
}

export interface DocumentJobs {
  jobs: DocumentJob[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface DocumentJobDetail {
  job_id: string;
  memory_id: string;
  kind: 'delete' | 'retry';
  status: 'running' | 'completed';
  /** What the job was about when it was made. */
  documents: number;
  done: number;
  /** Documents with which nothing could be done. */
  failed: number;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
  completed_at: string | null;
  problems: DocumentJobProblem[];
}

export interface DocumentJobProblem {
  doc_id: string;
  /** Why nothing could be done with the document. */
  code: 'not_found' | 'not_failed' | 'content_not_kept' | 'duplicate' | 'internal';
  message: string;
}

export interface DocumentContent {
  doc_id: string;
  title: string;
  status: 'queued' | 'parsing' | 'screening' | 'routing' | 'indexing' | 'linking' | 'completed' | 'failed';
  media_type: string;
  source_uri: string | null;
  /** ISO 8601 date-time */
  updated_at: string;
  chunks: DocumentChunk[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface DocumentChunk {
  chunk_id: string;
  /** Its place among the chunks of the document, from 0. */
  ordinal: number;
  text: string;
  /** The headings above it, outermost first. */
  headings: string[];
  /** Page, slide or chapter, from 1; null where there is none. */
  page: number | null;
  /** The last page, when it covers several. */
  page_end: number | null;
  /** Where it lies in the document, as results of a search say it. */
  location: Record<string, unknown>;
  /** What its words state, in the order of the text; at most 100. */
  facts: {
    fact_id: string;
    entity_id: string;
    relation: string;
    span: TextSpan;
  }[];
}

/** A place in the text of a chunk, in UTF-16 units: `text.slice(start, end)`. */
export interface TextSpan {
  start: number;
  end: number;
}

export interface Chunk {
  chunk_id: string;
  /** Its place among the chunks of the document, from 0. */
  ordinal: number;
  text: string;
  /** The headings above it, outermost first. */
  headings: string[];
  /** Page, slide or chapter, from 1; null where there is none. */
  page: number | null;
  /** The last page, when it covers several. */
  page_end: number | null;
  /** Where it lies in the document, as results of a search say it. */
  location: Record<string, unknown>;
  /** What its words state, in the order of the text; at most 100. */
  facts: {
    fact_id: string;
    entity_id: string;
    relation: string;
    span: TextSpan;
  }[];
  doc_id: string;
  /** The title of the document. */
  title: string;
  vault_id: string;
  source_uri: string | null;
  occurred_at: string | null;
  previous_chunk_id: string | null;
  next_chunk_id: string | null;
}

export interface ExploreGraphResponse {
  nodes: GraphNode[];
  edges: GraphEdge[];
  truncated: boolean;
}

export interface GraphNode {
  entity_id: string;
  name: string;
  type: string;
  /** What the documents say of it, by relation. */
  attributes: Record<string, unknown>;
  /** 0 until communities were computed, or for an entity alone. */
  community_id: number;
  /** PageRank, 1 for the most central entity of the memory. */
  centrality: number;
  document_count: number;
  /** Steps from the entity that was asked for. */
  hop?: number;
}

export interface GraphEdge {
  source: string;
  target: string;
  type: string;
  /** How often the relationship is stated, weighted by confidence. */
  weight: number;
}

export interface EntityPage {
  entities: Entity[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface Entity {
  entity_id: string;
  name: string;
  type: string;
  /** What the documents say of it, by relation. */
  attributes: Record<string, unknown>;
  /** 0 until communities were computed, or for an entity alone. */
  community_id: number;
  /** PageRank, 1 for the most central entity of the memory. */
  centrality: number;
  document_count: number;
  aliases: string[];
}

export interface GetEntityResponse {
  entity_id: string;
  name: string;
  type: string;
  /** What the documents say of it, by relation. */
  attributes: Record<string, unknown>;
  /** 0 until communities were computed, or for an entity alone. */
  community_id: number;
  /** PageRank, 1 for the most central entity of the memory. */
  centrality: number;
  document_count: number;
  aliases: string[];
  facts: Fact[];
}

export interface Fact {
  fact_id: string;
  entity_id: string;
  relation: string;
  value: string;
  /** The entity that the value names, if it names one. */
  target_entity_id: string | null;
  negated: boolean;
  confidence: number;
  doc_id: string;
  /** The title of the document. */
  title: string;
  chunk_id: string;
  /** The words of the document that say so. */
  quote: string;
  /** Where the quote stands in the text of the chunk, in UTF-16 units. */
  location: {
    start: number;
    end: number;
  };
  valid_from: string | null;
  valid_to: string | null;
  /** The words say that it holds no longer, as “former” does. */
  ended: boolean;
  /** The fact that holds instead; both are kept. */
  superseded_by: string | null;
}

export interface EntityLinks {
  /** The two, in the order of the path. */
  entities: {
    entity_id: string;
    name: string;
    type: string;
  }[];
  /** The weightiest first. */
  links: GraphEdge[];
  /** Those that state a link, in the order of their ids. */
  passages: LinkPassage[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface LinkPassage {
  doc_id: string;
  /** The title of the document. */
  title: string;
  chunk_id: string;
  /** Empty where the two names stand together in no single sentence, as in rows of a table. */
  statements: LinkStatement[];
}

export interface LinkStatement {
  source: string;
  target: string;
  type: string;
  /** The words of the document that say so. */
  text: string;
  /** Where they stand in the text of the chunk, in UTF-16 units. */
  span: {
    start: number;
    end: number;
  };
  /** The fact that quotes them, if they state one. */
  fact_id: string | null;
}

export interface EntityPath {
  /** From the source to the target, both included; empty when there is no path. */
  entities: {
    entity_id: string;
    name: string;
    type: string;
  }[];
  /** One for each two neighbouring entities, in the same order. */
  hops: PathHop[];
  /** Not everything could be looked at. */
  truncated: boolean;
}

export interface PathHop {
  /** Between the two entities, the weightiest first. */
  links: GraphEdge[];
  /** The first that state a link, as `getEntityLinks` pages them. */
  passages: LinkPassage[];
}

export interface GraphOverview {
  nodes: OverviewNode[];
  /** At most three for each entity of `limit`, the weightiest first. */
  edges: GraphEdge[];
  /** Those of the nodes, the largest first. */
  communities: GraphCommunity[];
  totals: {
    entities: number;
    communities: number;
  };
  /** There are entities that are not among the nodes. */
  truncated: boolean;
  /** There are links among the nodes that are left out. */
  edges_truncated: boolean;
}

export interface OverviewNode {
  entity_id: string;
  name: string;
  type: string;
  /** 0 until communities were computed, or for an entity alone. */
  community_id: number;
  /** PageRank, 1 for the most central entity of the memory. */
  centrality: number;
  document_count: number;
  /** Where it stands in the picture, about -1 to 1, the same at every visit. Null until it was computed, a moment after the last change, and for keys of one space. */
  x: number | null;
  y: number | null;
}

export interface GraphCommunity {
  community_id: number;
  /** The name of its most central entity. */
  name: string;
  /** That entity. */
  entity_id: string;
  /** Entities of it, shown or not. */
  size: number;
}

export interface ListContradictionsResponse {
  contradictions: Contradiction[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface Contradiction {
  contradiction_id: string;
  memory_id: string;
  entity: {
    entity_id: string;
    name: string;
    type: string;
  };
  relation: string;
  status: 'open' | 'resolved';
  /** 0 to 1: how sure it is that the statements exclude each other. */
  score: number;
  facts: Fact[];
  /** A fact id, or `both`, once resolved. */
  winner: string | null;
  note: string | null;
  resolved_by: string | null;
  resolved_at: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
}

export interface ListEntityReviewsResponse {
  reviews: EntityReview[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface EntityReview {
  review_id: string;
  status: 'open' | 'decided';
  similarity: number;
  entities: {
    entity_id: string;
    name: string;
    type: string;
    document_count: number;
  }[];
  decision: 'same' | 'different' | null;
  /** ISO 8601 date-time */
  created_at: string;
}

export interface EntityDecision {
  decision_id: string;
  kind: 'merge' | 'split' | 'different';
  names: string[];
  doc_ids: string[];
  decided_by: string;
  /** ISO 8601 date-time */
  created_at: string;
}

export interface MergeEntitiesResponse {
  decision_id: string;
  kind: 'merge' | 'split' | 'different';
  names: string[];
  doc_ids: string[];
  decided_by: string;
  /** ISO 8601 date-time */
  created_at: string;
  entity_id: string;
}

export interface SplitEntityResponse {
  decision_id: string;
  kind: 'merge' | 'split' | 'different';
  names: string[];
  doc_ids: string[];
  decided_by: string;
  /** ISO 8601 date-time */
  created_at: string;
  entity_id: string;
}

export interface ListEntityDecisionsResponse {
  decisions: EntityDecision[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface UndoEntityDecisionResponse {
  decision_id: string;
  undone: true;
}

export interface GetMemoryHealthResponse {
  memory_id: string;
  score: number;
  parts: {
    freshness: {
      /** 0 to 100. */
      score: number;
      weight: number;
      /** The measured share or count that the score is made of. */
      value: number;
      affected: number;
      /** What to do about it; empty when nothing is to be done. */
      advice: string;
    };
    coverage: {
      /** 0 to 100. */
      score: number;
      weight: number;
      /** The measured share or count that the score is made of. */
      value: number;
      affected: number;
      /** What to do about it; empty when nothing is to be done. */
      advice: string;
    };
    contradictions: {
      /** 0 to 100. */
      score: number;
      weight: number;
      /** The measured share or count that the score is made of. */
      value: number;
      affected: number;
      /** What to do about it; empty when nothing is to be done. */
      advice: string;
    };
    orphans: {
      /** 0 to 100. */
      score: number;
      weight: number;
      /** The measured share or count that the score is made of. */
      value: number;
      affected: number;
      /** What to do about it; empty when nothing is to be done. */
      advice: string;
    };
    failed_ingests: {
      /** 0 to 100. */
      score: number;
      weight: number;
      /** The measured share or count that the score is made of. */
      value: number;
      affected: number;
      /** What to do about it; empty when nothing is to be done. */
      advice: string;
    };
    review_backlog: {
      /** 0 to 100. */
      score: number;
      weight: number;
      /** The measured share or count that the score is made of. */
      value: number;
      affected: number;
      /** What to do about it; empty when nothing is to be done. */
      advice: string;
    };
  };
  /** ISO 8601 date-time */
  assessed_at: string;
}

export interface HealthHistory {
  history: HealthAssessment[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface HealthAssessment {
  /** ISO 8601 date-time */
  assessed_at: string;
  /** 0 to 100. */
  score: number;
  parts: {
    freshness: {
      score: number;
      affected: number;
    };
    coverage: {
      score: number;
      affected: number;
    };
    contradictions: {
      score: number;
      affected: number;
    };
    orphans: {
      score: number;
      affected: number;
    };
    failed_ingests: {
      score: number;
      affected: number;
    };
    review_backlog: {
      score: number;
      affected: number;
    };
  };
  /** Documents of the memory at that time, of every status. */
  documents: number;
  /** Since the assessment before, as far as they are still there. */
  documents_added: number;
  /** Since the assessment before, of those it counted. */
  documents_deleted: number;
}

export interface SearchAnswer {
  search_id: string;
  /** Refers to the citations as [1], [2] … */
  answer: string;
  /** False for an answer made of sentences taken from the sources. */
  generated: boolean;
  citations: Citation[];
  results: SearchResult[];
  entities: {
    entity_id: string;
    name: string;
    type: string;
  }[];
  /** Open contradictions of which a shown source states one side. */
  contradictions: {
    contradiction_id: string;
    entity: {
      entity_id: string;
      name: string;
      type: string;
    };
    relation: string;
    facts: {
      fact_id: string;
      value: string;
      doc_id: string;
      chunk_id: string;
      quote: string;
    }[];
    /** Citations of the answer that take one of the sides. */
    citation_ids: string[];
  }[];
  suggested_followups: string[];
  /** 0 to 1: how likely the answer is right, by signs that were weighed on questions with known answers; for what was said in conversations, in small memories and in other languages than English, how much of the question the best source carries. Low where nothing answers. */
  confidence: number;
  /** Why a configured model did not write all of the answer, e.g. `timed_out`; else null. */
  fallback: string | null;
  thread_id: string | null;
  timing_ms: Record<string, number>;
}

export interface Citation {
  citation_id: string;
  doc_id: string;
  chunk_id: string;
  title: string;
  /** The words that support the answer, white space as single spaces. */
  snippet: string;
  /** Where the words of `snippet` stand in the text of the chunk, from the first to the last of them; null where no sentence of it is told to support the answer. */
  span: TextSpan | null;
  source_uri: string | null;
  /** The date of the source, by which values that differ are ordered, the newest first. */
  occurred_at: string | null;
  score: number;
}

export interface SearchResult {
  chunk_id: string;
  doc_id: string;
  title: string;
  text: string;
  score: number;
  vault_id: string;
  source_uri: string | null;
  occurred_at: string | null;
  location: Record<string, unknown>;
  /** There when the request says `explain`. */
  explanation?: SearchExplanation;
}

export interface SearchExplanation {
  /** What each signal added. Together they are the score. */
  signals: {
    /** For the words of the question that the passage has. */
    words: number;
    /** For nearness in meaning, where embeddings are configured. */
    meaning: number;
    /** For words of the question that stand near each other, in its order. */
    word_proximity: number;
    /** For being like the passage that the other signals rate highest, where documents are short. */
    similarity_to_best: number;
    /** In a conversation, for what the turns just before and after say. */
    adjacent_turns: number;
    /** In a conversation, for what the turns two before and after say. */
    nearby_turns: number;
    /** For a turn by somebody whom the question names. */
    named_speaker: number;
    /** In a dialogue with an assistant, for a turn of the user, when the question is about the one who asks. */
    said_by_asker: number;
    /** For a text of the day, month or year that the question names. */
    asked_date: number;
    /** For a text of the period that the question means, like “last week”. */
    asked_period: number;
    /** For what the knowledge graph connects with the question. */
    graph: number;
    /** What the configured reranker made of the score by moving the passage; may be negative. */
    reranker: number;
  };
  /** Empty for a passage that was not found by words. */
  words: {
    /** As the question says it, in lower case. */
    word: string;
    /** How many of the searched passages have it. */
    passages_with_word: number;
    /** Inverse document frequency: the rarer, the more the word counts. */
    rarity: number;
    /** How often the passage has it; in titles it counts more. */
    frequency: number;
    /** What the word added. Together they are the signal `words`. */
    contribution: number;
  }[];
  /** In words as they are weighted; shorter passages score higher. */
  passage_length: number | null;
  average_length: number | null;
  passages_searched: number | null;
}

export interface StreamSearchSourcesEvent {
  citations: Citation[];
}

export interface StreamSearchTokenEvent {
  text: string;
}

/** Its `citations` are those of the sources that the answer refers to. */
export type StreamSearchDoneEvent = SearchAnswer;

export interface StreamSearchErrorEvent {
  code: string;
  detail: string;
  request_id: string;
}

export interface SearchLogSettings {
  memory_id: string;
  /** Whether searches of the memory are kept. False unless turned on. */
  enabled: boolean;
  /** How long each is kept. */
  keep_days: number;
}

export interface LoggedSearches {
  searches: LoggedSearch[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface LoggedSearch {
  search_id: string;
  memory_id: string;
  /** The space that was searched; null for the whole memory. */
  space_id: string | null;
  /** ISO 8601 date-time */
  asked_at: string;
  /** Masked by the memory's `dlp_policy`. */
  question: string;
  /** False when the answer cited nothing. */
  answered: boolean;
  generated: boolean;
  confidence: number;
  /** What the answer cited, in its order; a document may have been deleted since. */
  citations: {
    doc_id: string;
    chunk_id: string;
  }[];
  took_ms: number;
  /** The key or OAuth client that asked. */
  credential_id: string;
  /** What was said last about the answer; null when nobody has said. */
  feedback: {
    helpful: boolean;
    comment: string | null;
    /** ISO 8601 date-time */
    rated_at: string;
  } | null;
}

export interface WebSession {
  success: boolean;
  message: string;
  thread_id: string;
  list_id: string;
  /** The run starts when a WebSocket connects here, unless it was started by the call; for one connection. */
  websocket_url: string;
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
}

export interface StartPeopleSearchResponse {
  success: boolean;
  message: string;
  thread_id: string;
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
}

export interface StartCompanySearchResponse {
  success: boolean;
  message: string;
  thread_id: string;
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
}

export interface ContinueListSearchResponse {
  success: boolean;
  thread_id: string;
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
}

export interface StopRunResponse {
  success: boolean;
  thread_id: string;
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
  message: string;
}

export interface ListRunsResponse {
  runs: RunSummary[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface RunSummary {
  thread_id: string;
  kind: 'web' | 'crawler' | 'people' | 'company' | 'research' | 'deep_search';
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
  prompt: string;
  progress: {
    stage: string;
    percent: number;
  };
  list_id: string | null;
  memory_id: string;
  /** The key that started it. */
  started_by: string;
  /** Reserved while it runs, charged when it has ended, 0 when released. */
  credits: number;
  /** How many its log has. */
  events: number;
  /** ISO 8601 date-time */
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface ListRunEventsResponse {
  events: RunEvent[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface RunEvent {
  /** From 1, without gaps. */
  seq: number;
  type:
    | 'run.queued'
    | 'run.started'
    | 'run.progress'
    | 'plan.ready'
    | 'query.issued'
    | 'source.fetched'
    | 'source.skipped'
    | 'finding.added'
    | 'conflict.found'
    | 'row.candidate'
    | 'row.matched'
    | 'row.rejected'
    | 'clarification.requested'
    | 'clarification.answered'
    | 'budget.warning'
    | 'report.delta'
    | 'report.ready'
    | 'run.completed'
    | 'run.failed'
    | 'run.cancelled'
    | 'run.expired';
  thread_id: string;
  /** ISO 8601 date-time */
  at: string;
  data: Record<string, unknown>;
}

export interface ListRunSourcesResponse {
  sources: RunSource[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface RunSource {
  source_id: string;
  /** The run that read it. */
  thread_id: string;
  kind: 'memory' | 'web' | 'upload';
  title: string;
  /** Its address, when it was read from one. */
  uri: string | null;
  /** The document, when it is one of the memory. */
  doc_id: string | null;
  /** The time that it is of, where that is known. */
  occurred_at: string | null;
  /** ISO 8601 date-time */
  read_at: string;
}

export interface SourceText {
  source_id: string;
  /** The run that read it. */
  thread_id: string;
  kind: 'memory' | 'web' | 'upload';
  title: string;
  /** Its address, when it was read from one. */
  uri: string | null;
  /** The document, when it is one of the memory. */
  doc_id: string | null;
  /** The time that it is of, where that is known. */
  occurred_at: string | null;
  /** ISO 8601 date-time */
  read_at: string;
  text: string | null;
  /** Length of the whole text in UTF-16 units. */
  total_chars: number;
  start: number;
  /** Where the next part begins; null at the end. */
  next_start: number | null;
}

export interface RunStatus {
  thread_id: string;
  kind: 'web' | 'crawler' | 'people' | 'company' | 'research' | 'deep_search';
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
  prompt: string;
  criteria: {
    criterion_id: string;
    kind: string;
    text: string;
  }[];
  progress: {
    stage: string;
    percent: number;
  };
  counts: {
    sources: number;
    findings: number;
    conflicts: number;
    candidates: number;
    rows: number;
    events: number;
  };
  total_target: number | null;
  list_id: string | null;
  workspace_id: string;
  memory_id: string;
  websocket_url: string;
  /** Empty when it was not asked for. */
  live_url: string;
  question: {
    question_id: string;
    question: string;
    /** Taken when nobody answers in time. */
    default: string;
    /** What the sources offer to choose from; other words are an answer, too. */
    choices?: string[];
    /** ISO 8601 date-time */
    expires_at: string;
  } | null;
  assumptions: string[];
  research_brief: string;
  final_report: string;
  citations: {
    number: number;
    finding_id: string;
    source_id: string;
    title: string;
    uri: string | null;
    quote: string;
    start: number;
  }[];
  /** True when a model wrote the report. */
  generated: boolean;
  error: {
    code: string;
    message: string;
  } | null;
  cost: {
    charge: string;
    credits: number;
    state: 'none' | 'reserved' | 'settled' | 'released';
    input_tokens: number;
    output_tokens: number;
  };
  /** ISO 8601 date-time */
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface StartResearchResponse {
  thread_id: string;
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
  message: string;
  research_brief: string;
  final_report: string;
}

export interface RespondToResearchResponse {
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
  message: string;
}

export interface StartDeepSearchResponse {
  success: boolean;
  thread_id: string;
  list_id: string;
  websocket_url: string;
  live_url: string;
  workspace_id: string;
  status:
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
}

export interface UploadReferenceResponse {
  success: boolean;
  workspace_id: string;
  paths: string[];
}

export interface ListSavedListsResponse {
  success: boolean;
  data: SavedList[];
  total: number;
}

export interface SavedList {
  id: string;
  listName: string;
  listDescription: string;
  listStatus: 'building' | 'ready' | 'stopped' | 'failed';
  listType: 'company' | 'people' | 'web';
  noOfRecords: number;
  thread_id: string;
  /** ISO 8601 date-time */
  created_at: string;
}

export interface ListRowsResponse {
  success: boolean;
  data: ListRow[];
  total: number;
}

export interface ListRow {
  row_id: string;
  position: number;
  name: string;
  cells: Record<
    string,
    {
      value: string;
      confidence: number;
      evidence: CellEvidence[];
    }
  >;
  sources: {
    source_id: string;
    title: string;
    uri: string | null;
  }[];
  /** ISO 8601 date-time */
  created_at: string;
}

export interface CellEvidence {
  source_id: string;
  title: string;
  uri: string | null;
  quote: string;
  /** Where the quote begins in the source's text, in UTF-16 units. */
  start: number;
}

export interface MemoryIngestCompletedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.ingest.completed';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** The document. */
    doc_id: string;
    /** The vault that the document lies in: of a space, or the root. */
    vault_id: string;
    title: string;
    /** Passages that it was divided into. */
    chunks: number;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryIngestDlpFlaggedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.ingest.dlp_flagged';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** The document. */
    doc_id: string;
    /** The vault that the document lies in: of a space, or the root. */
    vault_id: string;
    findings: {
      /** What was masked, for instance `email` or `credit_card`. */
      kind: string;
      count: number;
    }[];
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryIngestAutoRoutedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.ingest.auto_routed';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** The document. */
    doc_id: string;
    /** The vault that the document lies in: of a space, or the root. */
    vault_id: string;
    /** Null: the root. */
    space_id: string | null;
    /** 0 to 1. */
    confidence: number;
    needs_review: boolean;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryEntityCreatedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.entity.created';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    entity_id: string;
    name: string;
    type: string;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryEntityContradictionDetectedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.entity.contradiction_detected';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    contradiction_id: string;
    entity_id: string;
    relation: string;
    facts: {
      fact_id: string;
      value: string;
      /** The document. */
      doc_id: string;
    }[];
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryEntityContradictionResolvedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.entity.contradiction_resolved';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    contradiction_id: string;
    /** The id of the fact that holds, or `both`. */
    winner: string;
    /** The id of the key that decided, or `system`. */
    resolved_by: string;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryHealthAssessedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.health.assessed';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** 0 to 100. */
    score: number;
    /** As GET /api/v1/memory/health names them. */
    parts: Record<string, number>;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryDocumentQueuedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.document.queued';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    doc_ids: string[];
    /** The vault that the document lies in: of a space, or the root. */
    vault_id: string;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryDocumentFailedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.document.failed';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** The document. */
    doc_id: string;
    /** The vault that the document lies in: of a space, or the root. */
    vault_id: string;
    title: string;
    error: {
      code: string;
      message: string;
    };
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface MemoryDocumentDeletedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'memory.document.deleted';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    doc_ids: string[];
    /** The vault that the document lies in: of a space, or the root. */
    vault_id: string;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface ResearchRunStatusChangedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'research.run.status_changed';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** The run. */
    thread_id: string;
    kind: 'web' | 'crawler' | 'people' | 'company' | 'research' | 'deep_search';
    status:
      | 'awaiting_connection'
      | 'queued'
      | 'running'
      | 'awaiting_clarification'
      | 'completed'
      | 'failed'
      | 'cancelled'
      | 'expired';
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface CredentialCreatedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'credential.created';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** A key, an OAuth client, or a single OAuth token. */
    credential_id: string;
    kind: 'live' | 'test' | 'ephemeral' | 'memory' | 'member' | 'oauth';
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface CredentialRevokedEvent {
  /** The same at every attempt; ignore one that you have handled. */
  event_id: string;
  event: 'credential.revoked';
  occurred_at: string;
  /** False in the test environment. */
  livemode: boolean;
  scope: {
    tenant_id: string;
    workspace_id: string;
    memory_id: string;
  };
  payload: {
    /** A key, an OAuth client, or a single OAuth token. */
    credential_id: string;
  };
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface StreamPosition {
  /** What `Last-Event-ID` and `last_event_id` take: everything up to here was sent. */
  position: number;
}

export interface WebhookWithSecret {
  webhook_id: string;
  url: string;
  events: (
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed'
  )[];
  description: string;
  active: boolean;
  /** `failing` while deliveries end as dead letters and none is accepted; `inactive` when `active` is false. */
  status: 'active' | 'failing' | 'inactive';
  /** The first dead letter since the endpoint last accepted a delivery. */
  failing_since: string | null;
  inactive_since: string | null;
  /** `switched_off` by a request; `endpoint_failing` when the endpoint had accepted nothing for too long. `active: true` brings it back. */
  inactive_reason: 'switched_off' | 'endpoint_failing' | null;
  auto_replay: boolean;
  livemode: boolean;
  /** Deliveries that wait for a replay. */
  dead_letters: number;
  /** When a secret that was rotated stops signing. */
  secret_rotates_at: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
  /** The signing secret. In the answer that made it and never again. */
  secret?: string;
}

export interface ListWebhooksResponse {
  webhooks: Webhook[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface Webhook {
  webhook_id: string;
  url: string;
  events: (
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed'
  )[];
  description: string;
  active: boolean;
  /** `failing` while deliveries end as dead letters and none is accepted; `inactive` when `active` is false. */
  status: 'active' | 'failing' | 'inactive';
  /** The first dead letter since the endpoint last accepted a delivery. */
  failing_since: string | null;
  inactive_since: string | null;
  /** `switched_off` by a request; `endpoint_failing` when the endpoint had accepted nothing for too long. `active: true` brings it back. */
  inactive_reason: 'switched_off' | 'endpoint_failing' | null;
  auto_replay: boolean;
  livemode: boolean;
  /** Deliveries that wait for a replay. */
  dead_letters: number;
  /** When a secret that was rotated stops signing. */
  secret_rotates_at: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** ISO 8601 date-time */
  updated_at: string;
}

export interface DeleteWebhookResponse {
  webhook_id: string;
  deleted: true;
}

export interface Delivery {
  delivery_id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  state: 'pending' | 'delivering' | 'delivered' | 'dead_lettered' | 'test_failed';
  next_attempt_at: string | null;
  dead_lettered_at: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** Oldest first; the last 30. */
  attempts: DeliveryAttempt[];
}

export interface DeliveryAttempt {
  /** 0 for the first attempt, then 1 to 5. */
  retry: number;
  /** 1, and one more for each replay. */
  round: number;
  /** ISO 8601 date-time */
  started_at: string;
  /** null while it is under way; `interrupted` when we were, which costs no retry. */
  outcome:
    | 'delivered'
    | 'refused_by_receiver'
    | 'timed_out'
    | 'connection_failed'
    | 'tls_failed'
    | 'not_allowed'
    | 'interrupted'
    | null;
  /** The answer's HTTP status, if one came. */
  status: number | null;
  latency_ms: number | null;
  /** What went wrong, in words. */
  error: string | null;
  /** The first 4 KiB of the answer, as UTF-8. */
  answer: string | null;
  answer_truncated: boolean;
}

export interface ListDeliveriesResponse {
  deliveries: Delivery[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface ListAllDeliveriesResponse {
  deliveries: Delivery[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface GetWebhookStatsResponse {
  /** ISO 8601 date-time */
  from: string;
  webhooks: EndpointStats[];
}

export interface EndpointStats {
  webhook_id: string;
  /** Created in these hours; pings are not counted. */
  deliveries: number;
  delivered: number;
  dead_lettered: number;
  waiting: number;
  /** Those that have ended. */
  attempts: number;
  failed_attempts: number;
  /** Attempts that were accepted, of those that ended; null when none has. */
  success_rate: number | null;
  /** Half of the attempts took no longer. */
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface ListWebhookEventTypesResponse {
  event_types: WebhookEventType[];
}

export interface WebhookEventType {
  event:
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed';
  description: string;
  /** JSON Schema of the body of a delivery. */
  schema: Record<string, unknown>;
  /** A body. Its ids exist nowhere. */
  example: Record<string, unknown>;
}

export interface DeliveryWithRequest {
  delivery_id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  state: 'pending' | 'delivering' | 'delivered' | 'dead_lettered' | 'test_failed';
  next_attempt_at: string | null;
  dead_lettered_at: string | null;
  /** ISO 8601 date-time */
  created_at: string;
  /** Oldest first; the last 30. */
  attempts: DeliveryAttempt[];
  /** Null when the event was erased with what it is about. */
  request: {
    /** Exactly what is sent and signed, the same at each attempt. */
    body: string;
    /** Those that are the same at each attempt. Time and signatures are another at each and are not kept. */
    headers: Record<string, string>;
  } | null;
}

export interface ReplayDeadLettersResponse {
  /** Dead letters that are delivered again. */
  replayed: number;
}

export interface ReadLlmUsageResponse {
  totals: UsageRecord;
  /** Keys with usage only, in order. */
  series: UsageRow[];
  from: string;
  to: string;
}

export interface UsageRecord {
  /** All tokens read, cached ones included. */
  input_tokens: number;
  /** All tokens written, reasoning included. */
  output_tokens: number;
  calls: number;
  /** Null when no call has a known price; the sum of those that have one otherwise. */
  cost_usd: number | null;
  credits_charged: number;
  /** Tokens billed to the tenant's own provider key; never charged. */
  byok_tokens: number;
  /** The part of the input that the provider's cache had. */
  cached_input_tokens: number;
  /** The part of the output that was reasoning. */
  reasoning_tokens: number;
  /** Calls whose model has no known price. */
  unpriced_calls: number;
}

export interface UsageRow {
  /** The UTC day as YYYY-MM-DD, the model, or both with a slash between them. */
  key: string;
  /** With `group_by=day_and_model`. */
  day?: string;
  /** With `group_by=day_and_model`. */
  model?: string;
  /** All tokens read, cached ones included. */
  input_tokens: number;
  /** All tokens written, reasoning included. */
  output_tokens: number;
  calls: number;
  /** Null when no call has a known price; the sum of those that have one otherwise. */
  cost_usd: number | null;
  credits_charged: number;
  /** Tokens billed to the tenant's own provider key; never charged. */
  byok_tokens: number;
  /** The part of the input that the provider's cache had. */
  cached_input_tokens: number;
  /** The part of the output that was reasoning. */
  reasoning_tokens: number;
  /** Calls whose model has no known price. */
  unpriced_calls: number;
}

export interface ReadRequestsResponse {
  totals: RequestFigures;
  /** With requests only: in the order of time, or most requests first; at most 1,000. */
  series: RequestRow[];
  /** ISO 8601 date-time */
  from: string;
  /** ISO 8601 date-time */
  to: string;
}

export interface RequestFigures {
  requests: number;
  /** Answered with a status of 400 to 499. */
  client_errors: number;
  /** Answered with a status of 500 or more. */
  server_errors: number;
  /** Half of the requests took no longer; from counts by duration. Null: none was timed. */
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface RequestRow {
  /** The hour (2026-11-23T10:00:00Z), day, operation or credential. */
  key: string;
  requests: number;
  /** Answered with a status of 400 to 499. */
  client_errors: number;
  /** Answered with a status of 500 or more. */
  server_errors: number;
  /** Half of the requests took no longer; from counts by duration. Null: none was timed. */
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface ReadCreditsResponse {
  /** Credits left this month (UTC). */
  balance: number;
  period: {
    /** ISO 8601 date-time */
    from: string;
    /** ISO 8601 date-time */
    to: string;
  };
  granted: number;
  reserved: number;
  /** Charges of runs that ended. */
  settled: number;
  /** Calls of models outside of charged runs. */
  llm: number;
  ledger: LedgerEntry[];
  /** There only when more follow. */
  next_cursor?: string;
}

export interface LedgerEntry {
  /** `list.build`, `research.run`, `llm.usage` (all models of one UTC day) or `plan.credits`. */
  charge: string;
  /** The run that was charged. */
  thread_id: string | null;
  credits: number;
  /** Only `granted` adds to the balance; `released` takes nothing. */
  state: 'granted' | 'reserved' | 'settled' | 'released';
  /** ISO 8601 date-time */
  at: string;
}

export interface Limits {
  plan: string;
  limits: Limit[];
  rate: {
    requests_per_second: number;
    burst: number;
  };
  suggested_plan: string | null;
  upgrade_url: string | null;
}

export interface Limit {
  resource:
    | 'workspaces'
    | 'memories'
    | 'spaces'
    | 'documents'
    | 'stored_bytes'
    | 'api_keys'
    | 'oauth_clients'
    | 'webhooks'
    | 'monthly_requests'
    | 'monthly_credits';
  /** Counted as where the limit is enforced. */
  used: number;
  /** Null: there is none. */
  limit: number | null;
  /** When `used` starts at 0 again; null: it does not. */
  resets_at: string | null;
}
