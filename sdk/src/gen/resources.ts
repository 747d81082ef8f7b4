// Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.

import type {
  Connection,
  EventStream,
  FileInput,
  NumberedPages,
  Pages,
  RequestOptions,
  RunHandle,
} from '../core/shapes.ts';
import type {
  AddTurnRequest,
  ApiKey,
  ApiKeyWithPlaintext,
  CallMcpRequest,
  ContinueListSearchRequest,
  ContinueListSearchResponse,
  Contradiction,
  CreateApiKeyRequest,
  CreateMemoryRequest,
  CreateOAuthClientRequest,
  CreateSpaceRequest,
  CreateThreadRequest,
  CreateWebhookRequest,
  CreateWorkspaceRequest,
  CreateWorkspaceResponse,
  DecideEntityReviewRequest,
  DeleteDocumentResponse,
  DeleteProviderKeyResponse,
  DeleteSpaceMemberResponse,
  DeleteSpaceResponse,
  DeleteThreadResponse,
  DeleteWebhookResponse,
  DeleteWorkspaceResponse,
  Delivery,
  Document,
  EntityDecision,
  EntityReview,
  ExploreGraphResponse,
  GetEntityResponse,
  GetMemoryHealthResponse,
  GetWorkspaceResponse,
  IngestDocumentsRequest,
  IngestDocumentsResponse,
  IssueOAuthTokenRequest,
  IssueOAuthTokenResponse,
  LedgerEntry,
  ListApiKeysResponse,
  ListContradictionsResponse,
  ListDeliveriesResponse,
  ListDocumentsResponse,
  ListEntitiesResponse,
  ListEntityDecisionsResponse,
  ListEntityReviewsResponse,
  ListMemoriesResponse,
  ListOAuthClientsResponse,
  ListProviderKeysResponse,
  ListRow,
  ListRowsResponse,
  ListSavedListsResponse,
  ListSpaceMembersResponse,
  ListSpacesResponse,
  ListThreadsResponse,
  ListTurnsResponse,
  ListWebhooksResponse,
  ListWorkspacesResponse,
  Memory,
  MergeEntitiesRequest,
  MergeEntitiesResponse,
  OAuthClient,
  OAuthClientWithSecret,
  OauthMetadataResponse,
  ProviderKey,
  PutProviderKeyRequest,
  PutSpaceMemberRequest,
  ReadCreditsResponse,
  ReadLlmUsageResponse,
  ReopenContradictionRequest,
  ReplayDeadLettersRequest,
  ReplayDeadLettersResponse,
  ReplayDeliveryRequest,
  ResolveContradictionRequest,
  RespondToResearchResponse,
  RevokeApiKeyResponse,
  RevokeOAuthClientResponse,
  RevokeOAuthTokenRequest,
  RevokeOAuthTokenResponse,
  RotateApiKeyRequest,
  RotateWebhookSecretRequest,
  RotatedApiKey,
  RouteDocumentRequest,
  RunEvent,
  RunStatus,
  SavedList,
  SearchAnswer,
  SearchMemoryRequest,
  Space,
  SpaceMember,
  SplitEntityRequest,
  SplitEntityResponse,
  StartCompanySearchRequest,
  StartCompanySearchResponse,
  StartCrawlerRequest,
  StartDeepSearchRequest,
  StartDeepSearchResponse,
  StartPeopleSearchRequest,
  StartPeopleSearchResponse,
  StartResearchRequest,
  StartResearchResponse,
  StartWebResearchRequest,
  StopRunResponse,
  StreamSearchDoneEvent,
  StreamSearchRequest,
  StreamSearchSourcesEvent,
  StreamSearchTokenEvent,
  TestWebhookRequest,
  Thread,
  Turn,
  UndoEntityDecisionResponse,
  UpdateApiKeyRequest,
  UpdateMemoryRequest,
  UpdateSpaceRequest,
  UpdateThreadRequest,
  UpdateWebhookRequest,
  UpdateWorkspaceRequest,
  UpdateWorkspaceResponse,
  UploadReferenceResponse,
  WebSession,
  Webhook,
  WebhookWithSecret,
  Workspace,
} from './schemas.ts';

export interface ListApiKeysParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  type?: 'live' | 'test' | 'ephemeral' | 'memory';
  memory_id?: string;
  space_id?: string;
  /** Only those minted directly below this key. */
  parent_key_id?: string;
  /** Only those that are revoked, or only those that are not. */
  revoked?: boolean;
}

export interface RevokeApiKeyParams {
  /** Also revoke everything that came of the key: keys minted below it, its replacements, keys that it rotated, and OAuth clients with their tokens, transitively. */
  descendants?: boolean;
}

export interface ListOAuthClientsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListWorkspacesParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListMemoriesParams {
  workspace_id?: string;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListSpacesParams {
  memory_id?: string;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListSpaceMembersParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListThreadsParams {
  memory_id?: string;
  space_id?: string;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListTurnsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface IngestDocumentsFields {
  title?: string;
  /** Your own id; a later document with it replaces this one. */
  external_id?: string;
  /** Without it the document is routed by what it says. */
  space_id?: string;
  metadata?: Record<string, unknown>;
  /** ISO 8601 date-time */
  occurred_at?: string;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ListDocumentsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  space_id?: string;
  status?: 'queued' | 'parsing' | 'screening' | 'routing' | 'indexing' | 'linking' | 'completed' | 'failed';
  external_id?: string;
  /** Only documents whose routing waits for a review, or only the others. */
  needs_review?: boolean;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetDocumentParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface DeleteDocumentParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ExploreGraphParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Clamped into 1 to 6. */
  max_hops?: number;
  /** Only relationships of these types are followed; the parameter is repeated. */
  relationship_types?: string[] | string;
  limit?: number;
}

export interface ListEntitiesParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  query?: string;
  type?: string;
  limit?: number;
}

export interface GetEntityParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ListContradictionsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  status?: 'open' | 'resolved';
  entity_id?: string;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetContradictionParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ResolveContradictionParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ReopenContradictionParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ListEntityReviewsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  status?: 'open' | 'decided';
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface DecideEntityReviewParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface MergeEntitiesParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface SplitEntityParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ListEntityDecisionsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface UndoEntityDecisionParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface GetMemoryHealthParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export type StreamSearchEvent =
  | ({ type: 'sources' } & StreamSearchSourcesEvent)
  | ({ type: 'token' } & StreamSearchTokenEvent)
  | ({ type: 'done' } & StreamSearchDoneEvent);

export interface ExportReportParams {
  format?: 'markdown' | 'html' | 'pdf' | 'json';
}

export interface RespondToResearchParams {
  response: string;
}

export interface UploadReferenceFields {
  thread_id: string;
}

export interface ListSavedListsParams {
  page?: number;
  limit?: number;
  searchTerm?: string;
  listType?: 'company' | 'people' | 'web';
}

export interface ListRowsParams {
  page?: number;
  limit?: number;
  searchTerm?: string;
}

export interface ExportListParams {
  format?: 'csv' | 'json';
}

export interface StreamResearchParams {
  last_event_id?: number;
}

export type StreamResearchEvent =
  | ({ type: 'run.queued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.started' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.progress' } & Omit<RunEvent, 'type'>)
  | ({ type: 'plan.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'query.issued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.fetched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.skipped' } & Omit<RunEvent, 'type'>)
  | ({ type: 'finding.added' } & Omit<RunEvent, 'type'>)
  | ({ type: 'conflict.found' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.candidate' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.matched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.rejected' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.requested' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.answered' } & Omit<RunEvent, 'type'>)
  | ({ type: 'budget.warning' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.delta' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.completed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.failed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.cancelled' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.expired' } & Omit<RunEvent, 'type'>);

export interface StreamResearchVersionedParams {
  last_event_id?: number;
}

export type StreamResearchVersionedEvent =
  | ({ type: 'run.queued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.started' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.progress' } & Omit<RunEvent, 'type'>)
  | ({ type: 'plan.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'query.issued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.fetched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.skipped' } & Omit<RunEvent, 'type'>)
  | ({ type: 'finding.added' } & Omit<RunEvent, 'type'>)
  | ({ type: 'conflict.found' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.candidate' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.matched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.rejected' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.requested' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.answered' } & Omit<RunEvent, 'type'>)
  | ({ type: 'budget.warning' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.delta' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.completed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.failed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.cancelled' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.expired' } & Omit<RunEvent, 'type'>);

export interface StreamSearchRunParams {
  last_event_id?: number;
}

export type StreamSearchRunEvent =
  | ({ type: 'run.queued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.started' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.progress' } & Omit<RunEvent, 'type'>)
  | ({ type: 'plan.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'query.issued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.fetched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.skipped' } & Omit<RunEvent, 'type'>)
  | ({ type: 'finding.added' } & Omit<RunEvent, 'type'>)
  | ({ type: 'conflict.found' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.candidate' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.matched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.rejected' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.requested' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.answered' } & Omit<RunEvent, 'type'>)
  | ({ type: 'budget.warning' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.delta' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.completed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.failed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.cancelled' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.expired' } & Omit<RunEvent, 'type'>);

export interface ConnectRunParams {
  /** Stands for the key that started the run. */
  ticket?: string;
  /** What you have already; your first message may say it, too. */
  last_seq?: number;
}

export interface ShowLivePageParams {
  /** Stands for the key that started the run. */
  ticket?: string;
}

export interface StreamLivePageParams {
  /** Stands for the key that started the run. */
  ticket?: string;
  last_event_id?: number;
}

export type StreamLivePageEvent =
  | ({ type: 'run.queued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.started' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.progress' } & Omit<RunEvent, 'type'>)
  | ({ type: 'plan.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'query.issued' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.fetched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'source.skipped' } & Omit<RunEvent, 'type'>)
  | ({ type: 'finding.added' } & Omit<RunEvent, 'type'>)
  | ({ type: 'conflict.found' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.candidate' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.matched' } & Omit<RunEvent, 'type'>)
  | ({ type: 'row.rejected' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.requested' } & Omit<RunEvent, 'type'>)
  | ({ type: 'clarification.answered' } & Omit<RunEvent, 'type'>)
  | ({ type: 'budget.warning' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.delta' } & Omit<RunEvent, 'type'>)
  | ({ type: 'report.ready' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.completed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.failed' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.cancelled' } & Omit<RunEvent, 'type'>)
  | ({ type: 'run.expired' } & Omit<RunEvent, 'type'>);

export interface ListWebhooksParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListDeliveriesParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  state?: 'pending' | 'delivering' | 'delivered' | 'dead_lettered' | 'test_failed';
  event?:
    | 'memory.ingest.completed'
    | 'memory.ingest.dlp_flagged'
    | 'memory.ingest.auto_routed'
    | 'memory.entity.created'
    | 'memory.entity.contradiction_detected'
    | 'memory.entity.contradiction_resolved'
    | 'memory.health.assessed'
    | 'webhook.test';
}

export interface ReadLlmUsageParams {
  dimension?: 'tenant' | 'workspace' | 'memory' | 'space' | 'conversation' | 'user' | 'api_key' | 'model';
  /** An id of the dimension; without it the dimension covers all its ids. */
  id?: string;
  /** First UTC day, inclusive. Default: 29 days before `to`. */
  from?: string;
  /** Last UTC day, inclusive. Default: today. */
  to?: string;
  group_by?: 'day' | 'model';
}

export interface ReadCreditsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface KeysResource {
  /** Create a key; its plaintext is in this answer only. Scope: `keys:write`. */
  create(params: CreateApiKeyRequest, options?: RequestOptions): Promise<ApiKeyWithPlaintext>;
  /** List the keys of the tenant. Scope: `keys:read`. */
  list(params?: ListApiKeysParams, options?: RequestOptions): Pages<ApiKey, ListApiKeysResponse>;
  /** Read one key. Scope: `keys:read`. */
  get(key_id: string, options?: RequestOptions): Promise<ApiKey>;
  /** Change the name or the restrictions of a key; the resulting key must be within the calling key, or within what it was. Scope: `keys:write`. */
  update(key_id: string, params?: UpdateApiKeyRequest, options?: RequestOptions): Promise<ApiKey>;
  /** Replace a key by a new one that may do the same; the old one is revoked when the overlap ends. Scope: `keys:write`. */
  rotate(key_id: string, params?: RotateApiKeyRequest, options?: RequestOptions): Promise<RotatedApiKey>;
  /** Revoke a key for good, alone or with its descendants; a repeat has the same answer. Scope: `keys:write`. */
  revoke(key_id: string, params?: RevokeApiKeyParams, options?: RequestOptions): Promise<RevokeApiKeyResponse>;
}

export interface OauthClientsResource {
  /** Create an OAuth client; its secret is in this answer only. Scope: `oauth:write`. */
  create(params: CreateOAuthClientRequest, options?: RequestOptions): Promise<OAuthClientWithSecret>;
  /** List the OAuth clients of the tenant. Scope: `oauth:read`. */
  list(params?: ListOAuthClientsParams, options?: RequestOptions): Pages<OAuthClient, ListOAuthClientsResponse>;
  /** Read one OAuth client. Scope: `oauth:read`. */
  get(client_id: string, options?: RequestOptions): Promise<OAuthClient>;
  /** Revoke an OAuth client and all its tokens for good; again, it gives the same answer. Scope: `oauth:write`. */
  revoke(client_id: string, options?: RequestOptions): Promise<RevokeOAuthClientResponse>;
}

export interface OauthResource {
  /** Get an access token for client credentials (RFC 6749, 4.4). */
  issueToken(params?: IssueOAuthTokenRequest, options?: RequestOptions): Promise<IssueOAuthTokenResponse>;
  /** Revoke an access token (RFC 7009). */
  revokeToken(params?: RevokeOAuthTokenRequest, options?: RequestOptions): Promise<RevokeOAuthTokenResponse>;
  /** Where and how to get access tokens (RFC 8414). */
  metadata(options?: RequestOptions): Promise<OauthMetadataResponse>;
}

export interface WorkspacesResource {
  /** Create a workspace with its primary shared memory. Scope: `workspaces:write`. */
  create(params: CreateWorkspaceRequest, options?: RequestOptions): Promise<CreateWorkspaceResponse>;
  /** List the workspaces of the tenant. Scope: `workspaces:read`. */
  list(params?: ListWorkspacesParams, options?: RequestOptions): Pages<Workspace, ListWorkspacesResponse>;
  /** Read one workspace. Scope: `workspaces:read`. */
  get(workspace_id: string, options?: RequestOptions): Promise<GetWorkspaceResponse>;
  /** Change the name, description or slug of a workspace. Scope: `workspaces:write`. */
  update(
    workspace_id: string,
    params?: UpdateWorkspaceRequest,
    options?: RequestOptions,
  ): Promise<UpdateWorkspaceResponse>;
  /** Delete a workspace with all its memories; the erasing goes on in the background. Scope: `workspaces:write`. */
  delete(workspace_id: string, options?: RequestOptions): Promise<DeleteWorkspaceResponse>;
}

export interface MemoriesResource {
  /** Create a memory. Scope: `memories:write`. */
  create(params: CreateMemoryRequest, options?: RequestOptions): Promise<Memory>;
  /** List every memory of the tenant, or of one workspace. Scope: `memories:read`. */
  list(params?: ListMemoriesParams, options?: RequestOptions): Pages<Memory, ListMemoriesResponse>;
  /** Read one memory. Scope: `memories:read`. */
  get(memory_id: string, options?: RequestOptions): Promise<Memory>;
  /** Change a memory, suspend it or take it up again. Scope: `memories:write`. */
  update(memory_id: string, params?: UpdateMemoryRequest, options?: RequestOptions): Promise<Memory>;
  /** Delete a memory with everything in it; the erasing goes on in the background. Scope: `memories:write`. */
  delete(memory_id: string, options?: RequestOptions): Promise<Memory>;
  /** Read the health of a memory: a score, its parts, and what to do about each. Scope: `graph:read`. */
  health(params?: GetMemoryHealthParams, options?: RequestOptions): Promise<GetMemoryHealthResponse>;
}

export interface SpacesMembersResource {
  /** List the members of a space. Scope: `spaces:read`. */
  list(
    space_id: string,
    params?: ListSpaceMembersParams,
    options?: RequestOptions,
  ): Pages<SpaceMember, ListSpaceMembersResponse>;
  /** Add a member to a space, or change the role. Scope: `spaces:write`. */
  put(space_id: string, user: string, params: PutSpaceMemberRequest, options?: RequestOptions): Promise<SpaceMember>;
  /** Take a member out of a space. Scope: `spaces:write`. */
  delete(space_id: string, user: string, options?: RequestOptions): Promise<DeleteSpaceMemberResponse>;
}

export interface SpacesResource {
  /** Create a space inside a memory. Scope: `spaces:write`. */
  create(params: CreateSpaceRequest, options?: RequestOptions): Promise<Space>;
  /** List the spaces of the tenant, or of one memory. Scope: `spaces:read`. */
  list(params?: ListSpacesParams, options?: RequestOptions): Pages<Space, ListSpacesResponse>;
  /** Read one space. Scope: `spaces:read`. */
  get(space_id: string, options?: RequestOptions): Promise<Space>;
  /** Change the name, description or slug of a space. Scope: `spaces:write`. */
  update(space_id: string, params?: UpdateSpaceRequest, options?: RequestOptions): Promise<Space>;
  /** Delete a space with its documents and threads; the erasing goes on in the background. Scope: `spaces:write`. */
  delete(space_id: string, options?: RequestOptions): Promise<DeleteSpaceResponse>;
  /** The MCP endpoint of a space: Model Context Protocol over Streamable HTTP, without sessions. Scope: `spaces:read`. */
  mcp(space_id: string, params?: CallMcpRequest, options?: RequestOptions): Promise<unknown>;
  readonly members: SpacesMembersResource;
}

export interface ProviderKeysResource {
  /** Store your own key of a model provider; it is encrypted and never shown again. Scope: `providers:write`. */
  put(provider: string, params: PutProviderKeyRequest, options?: RequestOptions): Promise<ProviderKey>;
  /** List the providers a key is stored for. Scope: `providers:read`. */
  list(options?: RequestOptions): Promise<ListProviderKeysResponse>;
  /** Read what is known of a stored key, never the key itself. Scope: `providers:read`. */
  get(provider: string, options?: RequestOptions): Promise<ProviderKey>;
  /** Delete a stored key. Scope: `providers:write`. */
  delete(provider: string, options?: RequestOptions): Promise<DeleteProviderKeyResponse>;
}

export interface ThreadsTurnsResource {
  /** Add a turn to a conversation. Scope: `threads:write`. */
  add(thread_id: string, params: AddTurnRequest, options?: RequestOptions): Promise<Turn>;
  /** List the turns of a conversation, oldest first. Scope: `threads:read`. */
  list(thread_id: string, params?: ListTurnsParams, options?: RequestOptions): Pages<Turn, ListTurnsResponse>;
}

export interface ThreadsResource {
  /** Begin a conversation in a memory or in one of its spaces. Scope: `threads:write`. */
  create(params?: CreateThreadRequest, options?: RequestOptions): Promise<Thread>;
  /** List the conversations of the tenant, or of one memory or space. Scope: `threads:read`. */
  list(params?: ListThreadsParams, options?: RequestOptions): Pages<Thread, ListThreadsResponse>;
  /** Read one conversation, without its turns. Scope: `threads:read`. */
  get(thread_id: string, options?: RequestOptions): Promise<Thread>;
  /** Change the title of a conversation. Scope: `threads:write`. */
  update(thread_id: string, params?: UpdateThreadRequest, options?: RequestOptions): Promise<Thread>;
  /** Delete a conversation with its turns. Scope: `threads:write`. */
  delete(thread_id: string, options?: RequestOptions): Promise<DeleteThreadResponse>;
  readonly turns: ThreadsTurnsResource;
}

export interface DocumentsResource {
  /** Put one document or up to 100 into a memory. Scope: `documents:write`. */
  add(params?: IngestDocumentsRequest, options?: RequestOptions): Promise<IngestDocumentsResponse>;
  /** Put one document or up to 100 into a memory. Scope: `documents:write`. */
  upload(file: FileInput, fields?: IngestDocumentsFields, options?: RequestOptions): Promise<IngestDocumentsResponse>;
  /** List the documents of a memory. Scope: `documents:read`. */
  list(params?: ListDocumentsParams, options?: RequestOptions): Pages<Document, ListDocumentsResponse>;
  /** Read the state of one document. Scope: `documents:read`. */
  get(doc_id: string, params?: GetDocumentParams, options?: RequestOptions): Promise<Document>;
  /** Delete one document with everything made of it. Scope: `documents:write`. */
  delete(doc_id: string, params?: DeleteDocumentParams, options?: RequestOptions): Promise<DeleteDocumentResponse>;
  /** Settle the space of a document; later documents are routed by it. Scope: `documents:write`. */
  route(doc_id: string, params: RouteDocumentRequest, options?: RequestOptions): Promise<Document>;
}

export interface GraphEntitiesResource {
  /** Find entities by name. Scope: `graph:read`. */
  list(params?: ListEntitiesParams, options?: RequestOptions): Promise<ListEntitiesResponse>;
  /** Read an entity with the facts that are stated of it. Scope: `graph:read`. */
  get(entity_id: string, params?: GetEntityParams, options?: RequestOptions): Promise<GetEntityResponse>;
}

export interface GraphContradictionsResource {
  /** List what documents disagree about. Scope: `graph:read`. */
  list(params?: ListContradictionsParams, options?: RequestOptions): Pages<Contradiction, ListContradictionsResponse>;
  /** Read a contradiction with its statements. Scope: `graph:read`. */
  get(contradiction_id: string, params?: GetContradictionParams, options?: RequestOptions): Promise<Contradiction>;
  /** Say which statement holds, or that both do. Scope: `graph:write`. */
  resolve(
    contradiction_id: string,
    params: ResolveContradictionRequest & ResolveContradictionParams,
    options?: RequestOptions,
  ): Promise<Contradiction>;
  /** Take a resolution back. Scope: `graph:write`. */
  reopen(
    contradiction_id: string,
    params?: ReopenContradictionRequest & ReopenContradictionParams,
    options?: RequestOptions,
  ): Promise<Contradiction>;
}

export interface GraphReviewsResource {
  /** List names that may mean the same entity and wait for a person. Scope: `graph:read`. */
  list(params?: ListEntityReviewsParams, options?: RequestOptions): Pages<EntityReview, ListEntityReviewsResponse>;
  /** Say whether two names mean the same entity. Scope: `graph:write`. */
  decide(
    review_id: string,
    params: DecideEntityReviewRequest & DecideEntityReviewParams,
    options?: RequestOptions,
  ): Promise<EntityDecision>;
}

export interface GraphDecisionsResource {
  /** List merges, splits and refused merges. Scope: `graph:read`. */
  list(
    params?: ListEntityDecisionsParams,
    options?: RequestOptions,
  ): Pages<EntityDecision, ListEntityDecisionsResponse>;
  /** Take a merge or split back. Scope: `graph:write`. */
  undo(
    decision_id: string,
    params?: UndoEntityDecisionParams,
    options?: RequestOptions,
  ): Promise<UndoEntityDecisionResponse>;
}

export interface GraphResource {
  /** Walk the knowledge graph from an entity, up to six hops. Scope: `graph:read`. */
  explore(entity_id: string, params?: ExploreGraphParams, options?: RequestOptions): Promise<ExploreGraphResponse>;
  /** Make entities one; reversible. Scope: `graph:write`. */
  merge(params: MergeEntitiesRequest & MergeEntitiesParams, options?: RequestOptions): Promise<MergeEntitiesResponse>;
  /** Make an entity of its own out of some names of one, or of what some documents mean by it; reversible. Scope: `graph:write`. */
  split(params: SplitEntityRequest & SplitEntityParams, options?: RequestOptions): Promise<SplitEntityResponse>;
  readonly entities: GraphEntitiesResource;
  readonly contradictions: GraphContradictionsResource;
  readonly reviews: GraphReviewsResource;
  readonly decisions: GraphDecisionsResource;
}

export interface SearchResource {
  /** Search a memory and get a cited answer. Scope: `memory:search`. */
  query(params: SearchMemoryRequest, options?: RequestOptions): Promise<SearchAnswer>;
  /** The same search with its answer as server-sent events. Scope: `memory:search`. */
  stream(params: StreamSearchRequest, options?: RequestOptions): EventStream<StreamSearchEvent>;
}

export interface RunsResource {
  /** Prepare a web and research run; it starts when its WebSocket connects. Scope: `search:run`. */
  startWeb(params: StartWebResearchRequest, options?: RequestOptions): Promise<WebSession & RunHandle>;
  /** Prepare a crawl of the sites named in the prompt; it starts when its WebSocket connects. Scope: `search:run`. */
  startCrawl(params: StartCrawlerRequest, options?: RequestOptions): Promise<WebSession & RunHandle>;
  /** Build a list of people who meet the criteria in the prompt. Scope: `search:run`. */
  startPeople(
    params: StartPeopleSearchRequest,
    options?: RequestOptions,
  ): Promise<StartPeopleSearchResponse & RunHandle>;
  /** Build a list of companies that meet the criteria in the prompt. Scope: `search:run`. */
  startCompanies(
    params: StartCompanySearchRequest,
    options?: RequestOptions,
  ): Promise<StartCompanySearchResponse & RunHandle>;
  /** Extend a people or company search to a higher target. Scope: `search:run`. */
  continue(params: ContinueListSearchRequest, options?: RequestOptions): Promise<ContinueListSearchResponse>;
  /** Stop a run; what it found stays. Again, it gives the same answer. Scope: `search:run`. */
  stop(thread_id: string, options?: RequestOptions): Promise<StopRunResponse>;
  /** Read how a run is doing, with a fresh ticket for its WebSocket. Scope: `search:run`. */
  status(thread_id: string, options?: RequestOptions): Promise<RunStatus>;
  /** Download the report of a run. Scope: `search:run`. */
  report(thread_id: string, params?: ExportReportParams, options?: RequestOptions): Promise<Response>;
  /** Start deep research; its progress is streamed. Scope: `search:run`. */
  startResearch(params: StartResearchRequest, options?: RequestOptions): Promise<StartResearchResponse & RunHandle>;
  /** Answer the question that a research run waits for. Scope: `search:run`. */
  answer(
    thread_id: string,
    params: RespondToResearchParams,
    options?: RequestOptions,
  ): Promise<RespondToResearchResponse>;
  /** Prepare a deep search, or answer its question by naming its thread and list. Scope: `search:run`. */
  startDeepSearch(
    params: StartDeepSearchRequest,
    options?: RequestOptions,
  ): Promise<StartDeepSearchResponse & RunHandle>;
  /** Give a deep search a reference file that only it reads. Scope: `search:run`. */
  uploadReference(
    file: FileInput,
    fields: UploadReferenceFields,
    options?: RequestOptions,
  ): Promise<UploadReferenceResponse>;
  /** Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`. */
  streamResearch(
    thread_id: string,
    params?: StreamResearchParams,
    options?: RequestOptions,
  ): EventStream<StreamResearchEvent>;
  /** Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`. */
  streamResearchVersioned(
    thread_id: string,
    params?: StreamResearchVersionedParams,
    options?: RequestOptions,
  ): EventStream<StreamResearchVersionedEvent>;
  /** Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`. */
  stream(
    thread_id: string,
    params?: StreamSearchRunParams,
    options?: RequestOptions,
  ): EventStream<StreamSearchRunEvent>;
  /** Connect to a run by WebSocket; the first connection starts it. Scope: `search:run`. */
  connect(thread_id: string, params?: ConnectRunParams, options?: RequestOptions): Promise<Connection>;
  /** A page where a person watches the run. Scope: `search:run`. */
  livePage(thread_id: string, params?: ShowLivePageParams, options?: RequestOptions): Promise<Response>;
  /** The events that the live page shows. Scope: `search:run`. */
  streamLivePage(
    thread_id: string,
    params?: StreamLivePageParams,
    options?: RequestOptions,
  ): EventStream<StreamLivePageEvent>;
}

export interface ListsResource {
  /** List the saved company and people lists; those of the web when asked for. Scope: `lists:read`. */
  list(params?: ListSavedListsParams, options?: RequestOptions): NumberedPages<SavedList, ListSavedListsResponse>;
  /** Read one saved list. Scope: `lists:read`. */
  get(list_id: string, options?: RequestOptions): Promise<SavedList>;
  /** Read the rows of a list with the evidence of every cell. Scope: `lists:read`. */
  rows(list_id: string, params?: ListRowsParams, options?: RequestOptions): NumberedPages<ListRow, ListRowsResponse>;
  /** Download a list with all its rows. Scope: `lists:read`. */
  export(list_id: string, params?: ExportListParams, options?: RequestOptions): Promise<Response>;
}

export interface WebhooksDeliveriesResource {
  /** List deliveries of a webhook with their attempts, newest first; 50 a page unless `limit` says otherwise. Scope: `webhooks:read`. */
  list(
    webhook_id: string,
    params?: ListDeliveriesParams,
    options?: RequestOptions,
  ): Pages<Delivery, ListDeliveriesResponse>;
  /** Read one delivery with its attempts. Scope: `webhooks:read`. */
  get(webhook_id: string, delivery_id: string, options?: RequestOptions): Promise<Delivery>;
  /** Redeliver now: a dead letter or a delivered event once more, a waiting retry at once. Scope: `webhooks:write`. */
  replay(
    webhook_id: string,
    delivery_id: string,
    params?: ReplayDeliveryRequest,
    options?: RequestOptions,
  ): Promise<Delivery>;
}

export interface WebhooksResource {
  /** Register an endpoint; its signing secret is in this answer only. Scope: `webhooks:write`. */
  create(params: CreateWebhookRequest, options?: RequestOptions): Promise<WebhookWithSecret>;
  /** List the webhooks of the tenant, without their secrets. Scope: `webhooks:read`. */
  list(params?: ListWebhooksParams, options?: RequestOptions): Pages<Webhook, ListWebhooksResponse>;
  /** Read one webhook. Scope: `webhooks:read`. */
  get(webhook_id: string, options?: RequestOptions): Promise<Webhook>;
  /** Change a webhook; while it is not active nothing is taken in for it and what waits goes on waiting. Scope: `webhooks:write`. */
  update(webhook_id: string, params?: UpdateWebhookRequest, options?: RequestOptions): Promise<Webhook>;
  /** Delete a webhook with its deliveries; what is on its way arrives, nothing after it. Scope: `webhooks:write`. */
  delete(webhook_id: string, options?: RequestOptions): Promise<DeleteWebhookResponse>;
  /** Make a new signing secret; until the overlap ends both sign. Scope: `webhooks:write`. */
  rotateSecret(
    webhook_id: string,
    params?: RotateWebhookSecretRequest,
    options?: RequestOptions,
  ): Promise<WebhookWithSecret>;
  /** Send a test event now, once, and show how it was answered. Scope: `webhooks:write`. */
  test(webhook_id: string, params?: TestWebhookRequest, options?: RequestOptions): Promise<Delivery>;
  /** Deliver dead letters again: all of the webhook, or those that are named. Scope: `webhooks:write`. */
  replay(
    webhook_id: string,
    params?: ReplayDeadLettersRequest,
    options?: RequestOptions,
  ): Promise<ReplayDeadLettersResponse>;
  readonly deliveries: WebhooksDeliveriesResource;
}

export interface UsageResource {
  /** Tokens, calls, cost and credits of the models the tenant called. Scope: `usage:read`. */
  llm(params?: ReadLlmUsageParams, options?: RequestOptions): Promise<ReadLlmUsageResponse>;
  /** The month's balance of credits and what explains it, newest first. Scope: `usage:read`. */
  credits(params?: ReadCreditsParams, options?: RequestOptions): Pages<LedgerEntry, ReadCreditsResponse>;
}

export interface Resources {
  readonly keys: KeysResource;
  readonly oauthClients: OauthClientsResource;
  readonly oauth: OauthResource;
  readonly workspaces: WorkspacesResource;
  readonly memories: MemoriesResource;
  readonly spaces: SpacesResource;
  readonly providerKeys: ProviderKeysResource;
  readonly threads: ThreadsResource;
  readonly documents: DocumentsResource;
  readonly graph: GraphResource;
  readonly search: SearchResource;
  readonly runs: RunsResource;
  readonly lists: ListsResource;
  readonly webhooks: WebhooksResource;
  readonly usage: UsageResource;
}
