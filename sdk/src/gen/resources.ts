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
  AppAuthorization,
  AuditEvent,
  AuthorizationPreview,
  AuthorizeAppRequest,
  CallMcpRequest,
  Chunk,
  ConnectedApp,
  ConnectedAppPage,
  ContinueListSearchRequest,
  ContinueListSearchResponse,
  Contradiction,
  CreateApiKeyRequest,
  CreateInvitationRequest,
  CreateMemoryRequest,
  CreateOAuthClientRequest,
  CreateSpaceRequest,
  CreateThreadRequest,
  CreateWebhookRequest,
  CreateWorkspaceRequest,
  CreateWorkspaceResponse,
  CredentialCreatedEvent,
  CredentialRevokedEvent,
  DecideEntityReviewRequest,
  DeleteDocumentResponse,
  DeleteDocumentsRequest,
  DeleteProviderKeyResponse,
  DeleteSpaceMemberResponse,
  DeleteSpaceResponse,
  DeleteThreadResponse,
  DeleteWebhookResponse,
  DeleteWorkspaceResponse,
  Delivery,
  DeliveryWithRequest,
  DisconnectedApp,
  Document,
  DocumentChunk,
  DocumentContent,
  DocumentJob,
  DocumentJobDetail,
  DocumentJobs,
  DocumentStats,
  EndedSession,
  Entity,
  EntityDecision,
  EntityLinks,
  EntityPage,
  EntityPath,
  EntityReview,
  ExploreGraphResponse,
  GetEntityResponse,
  GetMemoryHealthResponse,
  GetWebhookStatsResponse,
  GetWorkspaceResponse,
  GraphOverview,
  HealthAssessment,
  HealthHistory,
  IngestDocumentsRequest,
  IngestDocumentsResponse,
  Invitation,
  InvitationPage,
  InvitationWithLink,
  IssueOAuthTokenRequest,
  IssueOAuthTokenResponse,
  LedgerEntry,
  Limits,
  ListAllDeliveriesResponse,
  ListApiKeysResponse,
  ListAuditEventsResponse,
  ListContradictionsResponse,
  ListDeliveriesResponse,
  ListDocumentsResponse,
  ListEntityDecisionsResponse,
  ListEntityReviewsResponse,
  ListMemoriesResponse,
  ListModelsResponse,
  ListOAuthClientsResponse,
  ListProviderKeysResponse,
  ListRow,
  ListRowsResponse,
  ListRunEventsResponse,
  ListRunSourcesResponse,
  ListRunsResponse,
  ListSavedListsResponse,
  ListSpaceMembersResponse,
  ListSpacesResponse,
  ListThreadsResponse,
  ListTurnsResponse,
  ListWebhookEventTypesResponse,
  ListWebhooksResponse,
  ListWorkspacesResponse,
  LoggedSearch,
  LoggedSearches,
  Member,
  MemberPage,
  MemberTicket,
  Memory,
  MemoryDocumentDeletedEvent,
  MemoryDocumentFailedEvent,
  MemoryDocumentQueuedEvent,
  MemoryEntityContradictionDetectedEvent,
  MemoryEntityContradictionResolvedEvent,
  MemoryEntityCreatedEvent,
  MemoryHealthAssessedEvent,
  MemoryIngestAutoRoutedEvent,
  MemoryIngestCompletedEvent,
  MemoryIngestDlpFlaggedEvent,
  MergeEntitiesRequest,
  MergeEntitiesResponse,
  OAuthClient,
  OAuthClientWithSecret,
  OauthMetadataResponse,
  OpenSessionRequest,
  ProviderKey,
  ProviderKeyTest,
  PutProviderKeyRequest,
  PutSpaceMemberRequest,
  RateSearchRequest,
  ReadCreditsResponse,
  ReadLlmUsageResponse,
  ReadRequestsResponse,
  ReadResourceMetadataResponse,
  RegisterAppClientRequest,
  RegisterAppClientResponse,
  RemovedMember,
  ReopenContradictionRequest,
  ReplayDeadLettersRequest,
  ReplayDeadLettersResponse,
  ReplayDeliveryRequest,
  ResearchRunStatusChangedEvent,
  ResolveContradictionRequest,
  RespondToResearchResponse,
  RetryDocumentsRequest,
  RevokeApiKeyResponse,
  RevokeOAuthClientResponse,
  RevokeOAuthTokenRequest,
  RevokeOAuthTokenResponse,
  RotateApiKeyRequest,
  RotateWebhookSecretRequest,
  RotatedApiKey,
  RouteDocumentRequest,
  RunEvent,
  RunSource,
  RunStatus,
  RunSummary,
  SavedList,
  SearchAnswer,
  SearchLogSettings,
  SearchMemoryRequest,
  Session,
  SessionPage,
  SessionTicket,
  SignInAttempt,
  SignInOptions,
  SourceText,
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
  StartSignInRequest,
  StartWebResearchRequest,
  StartedDocumentJob,
  StopRunResponse,
  StreamPosition,
  StreamSearchDoneEvent,
  StreamSearchRequest,
  StreamSearchSourcesEvent,
  StreamSearchTokenEvent,
  TestProviderKeyRequest,
  TestWebhookRequest,
  Thread,
  Turn,
  UndoEntityDecisionResponse,
  UpdateApiKeyRequest,
  UpdateDocumentRequest,
  UpdateMemberRequest,
  UpdateMemoryRequest,
  UpdateSearchLogRequest,
  UpdateSpaceRequest,
  UpdateThreadRequest,
  UpdateWebhookRequest,
  UpdateWorkspaceRequest,
  UpdateWorkspaceResponse,
  UploadReferenceResponse,
  WebSession,
  Webhook,
  WebhookWithSecret,
  Whoami,
  Workspace,
} from './schemas.ts';

export interface ListAuditEventsParams {
  /** Only what this key, member or OAuth client did. */
  actor_id?: string;
  /** An operation's id, for instance `revokeApiKey`. */
  operation?: string;
  /** Only what was about this id. */
  target_id?: string;
  /** Inclusive. */
  from?: string;
  /** Exclusive. */
  to?: string;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

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
  /** Also revoke everything that came of the key: keys minted below it, its replacements, keys that it rotated, members whom it invited, and OAuth clients with their tokens, transitively. */
  descendants?: boolean;
}

export interface ListOAuthClientsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface PreviewAuthorizationParams {
  /** As registered, or the https address of a client id metadata document. */
  client_id: string;
  redirect_uri: string;
  /** Of RFC 8707: the `mcp_url` of the space. */
  resource: string;
  code_challenge: string;
  code_challenge_method: 'S256';
  state?: string;
  response_type: 'code';
  /** Separated by spaces. */
  scope?: string;
}

export interface ListConnectedAppsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListSessionsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListMembersParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface RemoveMemberParams {
  /** Also revoke everything that came of the member: keys and OAuth clients that it created, and people whom it invited, transitively. */
  descendants?: boolean;
}

export interface ListInvitationsParams {
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

export interface ExportThreadsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
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
  /** Of when the document is: “last week” in a question means this time. */
  occurred_at?: string;
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ListDocumentsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  space_id?: string;
  /** One status, or several separated by commas. */
  status?: string;
  external_id?: string;
  /** Part of the title or of the external id, in any case of letters. */
  query?: string;
  /** By when the documents were first accepted. A cursor is one of the same order. */
  sort?: 'oldest' | 'newest';
  /** Only documents whose routing waits for a review, or only the others. */
  needs_review?: boolean;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetDocumentStatsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  space_id?: string;
}

export interface ExportDocumentsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Only documents of this space. */
  space_id?: string;
  /** The last document that arrived with all its passages. */
  after?: string;
}

export interface GetDocumentParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface ListDocumentJobsParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  kind?: 'delete' | 'retry';
  status?: 'running' | 'completed';
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetDocumentJobParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface GetDocumentContentParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Most text of a page in bytes of UTF-8; a page has at least one chunk. */
  max_bytes?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetDocumentOriginalParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface GetChunkParams {
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
  /** `relevance`: exact names first, then those that begin so, then the most central. `mentions` and `newest`: the most and the newest first. */
  sort?: 'relevance' | 'name' | 'mentions' | 'newest';
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetEntityParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
}

export interface GetEntityLinksParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetEntityPathParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Clamped into 1 to 6. */
  max_hops?: number;
  /** Only relationships of these types are followed; the parameter is repeated. */
  relationship_types?: string[] | string;
  /** Passages for each step, at most. */
  passages?: number;
}

export interface GetGraphOverviewParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Entities at most, the most central first. */
  limit?: number;
}

export interface ExportGraphParams {
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

export interface ListHealthHistoryParams {
  /** Default: the key's memory, else the default workspace's primary memory. */
  memory_id?: string;
  /** Only assessments at or after this time. */
  from?: string;
  /** Only assessments before this time. */
  to?: string;
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export type StreamSearchEvent =
  | ({ type: 'sources' } & StreamSearchSourcesEvent)
  | ({ type: 'token' } & StreamSearchTokenEvent)
  | ({ type: 'done' } & StreamSearchDoneEvent);

export interface ListSearchesParams {
  memory_id?: string;
  /** Only searches of this space. */
  space_id?: string;
  /** `true`: only those whose answer cited nothing; `false`: only the others. */
  unanswered?: boolean;
  /** Only those that were helpful, not helpful, or not rated. */
  thumbs?: 'up' | 'down' | 'none';
  /** Only those asked at or after this time. */
  since?: string;
  /** Only those asked before this time. */
  until?: string;
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetSearchParams {
  memory_id?: string;
}

export interface ListRunsParams {
  kind?: 'web' | 'crawler' | 'people' | 'company' | 'research' | 'deep_search';
  /** Only runs of these statuses; the parameter is repeated. `awaiting_clarification` wait for an answer. */
  status?:
    | (
        | 'awaiting_connection'
        | 'queued'
        | 'running'
        | 'awaiting_clarification'
        | 'completed'
        | 'failed'
        | 'cancelled'
        | 'expired'
      )[]
    | 'awaiting_connection'
    | 'queued'
    | 'running'
    | 'awaiting_clarification'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
  /** Only runs whose prompt contains this. */
  query?: string;
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListRunEventsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ListRunSourcesParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface GetSourceParams {
  /** Where the part begins, in UTF-16 units. */
  start?: number;
  length?: number;
}

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

export interface StreamEventsParams {
  /** Only these, separated by commas; without it all that the credential may see. */
  types?: string;
  /** Only those of this memory. */
  memory_id?: string;
  /** For those who cannot send the header `Last-Event-ID`. 0: everything that is kept. */
  last_event_id?: number;
  /** `false`: the stream ends with the last event that there is. */
  follow?: boolean;
}

export type StreamEventsEvent =
  | ({ type: 'memory.ingest.completed' } & MemoryIngestCompletedEvent)
  | ({ type: 'memory.ingest.dlp_flagged' } & MemoryIngestDlpFlaggedEvent)
  | ({ type: 'memory.ingest.auto_routed' } & MemoryIngestAutoRoutedEvent)
  | ({ type: 'memory.entity.created' } & MemoryEntityCreatedEvent)
  | ({ type: 'memory.entity.contradiction_detected' } & MemoryEntityContradictionDetectedEvent)
  | ({ type: 'memory.entity.contradiction_resolved' } & MemoryEntityContradictionResolvedEvent)
  | ({ type: 'memory.health.assessed' } & MemoryHealthAssessedEvent)
  | ({ type: 'memory.document.queued' } & MemoryDocumentQueuedEvent)
  | ({ type: 'memory.document.failed' } & MemoryDocumentFailedEvent)
  | ({ type: 'memory.document.deleted' } & MemoryDocumentDeletedEvent)
  | ({ type: 'research.run.status_changed' } & ResearchRunStatusChangedEvent)
  | ({ type: 'credential.created' } & CredentialCreatedEvent)
  | ({ type: 'credential.revoked' } & CredentialRevokedEvent)
  | ({ type: 'stream.position' } & StreamPosition);

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

export interface ListAllDeliveriesParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  webhook_id?: string;
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

export interface GetWebhookStatsParams {
  hours?: number;
}

export interface ReadLlmUsageParams {
  dimension?: 'tenant' | 'workspace' | 'memory' | 'space' | 'conversation' | 'user' | 'api_key' | 'model';
  /** An id of the dimension; without it the dimension covers all its ids. */
  id?: string;
  /** First UTC day, inclusive. Default: 29 days before `to`. */
  from?: string;
  /** Last UTC day, inclusive. Default: today. */
  to?: string;
  group_by?: 'day' | 'model' | 'day_and_model';
}

export interface ReadRequestsParams {
  group_by?: 'hour' | 'day' | 'operation' | 'key';
  /** Its whole hour. Default: a day before `to`, 30 days by the day. */
  from?: string;
  /** Exclusive. Default: now. */
  to?: string;
  /** Only those of this key or OAuth client. */
  key_id?: string;
  /** Only those for this operation, by its id. */
  operation?: string;
  status_class?: '2xx' | '3xx' | '4xx' | '5xx';
}

export interface ReadCreditsParams {
  /** Rows a page, 1–200. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface AccountResource {
  /** Read what the calling credential is and may do. The credential of the request with its scopes and bindings, its tenant, the version of the installation and what the operator has configured. Any valid credential may call it, on the base address and on the hostname of a memory that it reaches. `features` is null while the service that knows them does not answer; a secret is never part of the answer. */
  whoami(options?: RequestOptions): Promise<Whoami>;
}

export interface AuditResource {
  /** List who changed what. Every request that changed something, and every sign-in to the console, newest first: who asked, for which operation, about what, from which address. The record is made in the transaction of the change, so no change lacks one; it can be read within seconds. Requests that were refused and requests that only read are not recorded, nor is anything of what was sent. Records are kept for 400 days. Scope: `keys:read`. */
  list(params?: ListAuditEventsParams, options?: RequestOptions): Pages<AuditEvent, ListAuditEventsResponse>;
}

export interface KeysResource {
  /** Create an API key. Creates a key with at most the scopes, app permissions, addresses, rate and lifetime of the calling key. The plaintext is returned once and is not stored; a repeat with the same `Idempotency-Key` returns the key without it. Keys of one memory (`type: memory`) and OAuth tokens cannot create keys. Scope: `keys:write`. */
  create(params: CreateApiKeyRequest, options?: RequestOptions): Promise<ApiKeyWithPlaintext>;
  /** List the API keys of the tenant. Lists keys, oldest first, without their plaintext. A live key sees the keys of both environments, a test key those of its own. `usage_count` and `last_used_at` are at most five seconds late. Scope: `keys:read`. */
  list(params?: ListApiKeysParams, options?: RequestOptions): Pages<ApiKey, ListApiKeysResponse>;
  /** Read one API key. Returns one key with its scopes, restrictions, usage and, if it was rotated, what replaced it. The plaintext is never returned again. Scope: `keys:read`. */
  get(key_id: string, options?: RequestOptions): Promise<ApiKey>;
  /** Change the name or the restrictions of an API key. Changes the name and the restrictions of a key; the change is in force on every gateway when the response arrives. Restricting needs only `keys:write`; for any other change the calling key must cover everything that the resulting key may do. A revoked key cannot be changed. Scope: `keys:write`. */
  update(key_id: string, params?: UpdateApiKeyRequest, options?: RequestOptions): Promise<ApiKey>;
  /** Replace an API key. Creates a replacement with the same permissions and expiry, and returns its plaintext once. The original stays valid until `revokes_at` and is then revoked; with `overlap_seconds: 0` it is revoked when the response arrives. Revoked and expired keys cannot be rotated. Scope: `keys:write`. */
  rotate(key_id: string, params?: RotateApiKeyRequest, options?: RequestOptions): Promise<RotatedApiKey>;
  /** Revoke an API key, alone or with its descendants. Revokes a key permanently: when the response arrives, no gateway accepts it any more. With `descendants=true` everything derived from it is revoked, too, which is what a leaked key calls for; the caller must hold what each of them holds, and one owner must remain: 409. A repeat returns the same answer. Scope: `keys:write`. */
  revoke(key_id: string, params?: RevokeApiKeyParams, options?: RequestOptions): Promise<RevokeApiKeyResponse>;
}

export interface OauthClientsResource {
  /** Create an OAuth client. Creates a client for the client-credentials grant, within the permissions of the calling key. The secret is returned once. The client outlives the key that created it, unless that key is revoked with its descendants. Scope: `oauth:write`. */
  create(params: CreateOAuthClientRequest, options?: RequestOptions): Promise<OAuthClientWithSecret>;
  /** List the OAuth clients of the tenant. Lists the OAuth clients of the key's environment, oldest first, without their secrets. Scope: `oauth:read`. */
  list(params?: ListOAuthClientsParams, options?: RequestOptions): Pages<OAuthClient, ListOAuthClientsResponse>;
  /** Read one OAuth client. Returns one OAuth client with its scopes and usage, without its secret. Scope: `oauth:read`. */
  get(client_id: string, options?: RequestOptions): Promise<OAuthClient>;
  /** Revoke an OAuth client with all its tokens. Revokes the client and every token issued to it: when the response arrives, no gateway accepts any of them. A repeat returns the same answer. Scope: `oauth:write`. */
  revoke(client_id: string, options?: RequestOptions): Promise<RevokeOAuthClientResponse>;
}

export interface OauthResource {
  /** Issue an access token (RFC 6749). Issues an access token. For `client_credentials` it is valid for an hour: the client authenticates by HTTP Basic or by `client_id` and `client_secret` in the body, and `scope` requests fewer scopes than the client has. A connected app, which has no secret, redeems its code with the verifier of PKCE (`authorization_code`) and then each refresh token once (`refresh_token`); its access tokens are valid for fifteen minutes. Errors have the format of RFC 6749. */
  issueToken(params?: IssueOAuthTokenRequest, options?: RequestOptions): Promise<IssueOAuthTokenResponse>;
  /** Revoke a token (RFC 7009). Revokes one of the client's own tokens; either token of a connected app disconnects it. As RFC 7009 demands, a token that does not exist is answered in the same way as one that was revoked. */
  revokeToken(params?: RevokeOAuthTokenRequest, options?: RequestOptions): Promise<RevokeOAuthTokenResponse>;
  /** Read the authorization server's metadata (RFC 8414). Returns the authorization server's metadata: its endpoints, grants, scopes and ways to authenticate. */
  metadata(options?: RequestOptions): Promise<OauthMetadataResponse>;
  /** Read the metadata of an MCP endpoint (RFC 9728). Says where a client of the Model Context Protocol gets a token for the endpoint of a space. The endpoint names this address in the `WWW-Authenticate` header of its 401. It says nothing about whether the space exists. */
  resourceMetadata(space_id: string, options?: RequestOptions): Promise<ReadResourceMetadataResponse>;
  /** Register a client that people connect by signing in (RFC 7591). Registers a public client: it gets an id and no secret, and may do nothing until a person connects it. A registration that nobody connects ends after a day. What the client asks for besides is answered with what it gets. */
  register(params: RegisterAppClientRequest, options?: RequestOptions): Promise<RegisterAppClientResponse>;
}

export interface AppsResource {
  /** Read what an app asks for. Checks the request of a client that wants to be connected to a space, and says who asks, for which space, and what the caller can grant: what is asked for of that which the caller holds itself. Grants nothing. */
  preview(params: PreviewAuthorizationParams, options?: RequestOptions): Promise<AuthorizationPreview>;
  /** Connect an app to a space. Grants a client some of what the caller may do in one space, and returns the address that leads the browser back to it with a code. The client redeems the code once, within a minute, with the verifier of PKCE. What it gets ends with the key or the member that the caller stands for, and never does more than that. */
  authorize(params: AuthorizeAppRequest, options?: RequestOptions): Promise<AppAuthorization>;
  /** List connected apps. Lists the apps that the calling key or member has connected, oldest first, and with the scope `oauth:read` those of everybody in the environment; also those that ended in the last thirty days. */
  list(params?: ListConnectedAppsParams, options?: RequestOptions): Pages<ConnectedApp, ConnectedAppPage>;
  /** Disconnect an app. Ends a connected app: when it answers, every gateway refuses its tokens. Somebody else's app needs the scope `oauth:write`. A repeat returns the same answer. */
  disconnect(app_id: string, options?: RequestOptions): Promise<DisconnectedApp>;
}

export interface SessionsResource {
  /** Open a session of the console. Exchanges one proof for a session: a key, a ticket, an invitation, which makes its person a member first, or what the identity provider answered to a sign-in that this browser began. The session itself is in the cookie of the answer, which pages cannot read; the browser then needs no key. Tickets, invitations and sign-ins can be used once. Called by a browser, it must be from a page of the same host. */
  open(params?: OpenSessionRequest, options?: RequestOptions): Promise<Session>;
  /** Read how people sign in to the console. Names the identity provider that people sign in with, if the operator has configured one. Keys, tickets and links work either way. */
  signInOptions(options?: RequestOptions): Promise<SignInOptions>;
  /** Begin to sign in with the identity provider. Returns the address of the identity provider to lead the browser to (OpenID Connect, authorization code with PKCE). The browser keeps `attempt`; the provider leads it back to `/console/sign-in` with a code, and openSession takes both, once, within ten minutes. 404 when no provider is configured. */
  startSignIn(params?: StartSignInRequest, options?: RequestOptions): Promise<SignInAttempt>;
  /** Begin to link an account at the identity provider. For a member who joined before there was an identity provider: begins a sign-in that links the account to the member of the calling session. It is finished like one of startSignIn. The provider must have verified the e-mail address of the member. A member who has an account already: 409. 404 when no provider is configured. */
  startLink(options?: RequestOptions): Promise<SignInAttempt>;
  /** List the sessions of the console. Lists the sessions that stand for keys and members of the key's environment, oldest first, also those that have ended in the last thirty days. Scope: `keys:read`. */
  list(params?: ListSessionsParams, options?: RequestOptions): Pages<Session, SessionPage>;
  /** End the session that makes the request. Ends the session of the cookie that the request was made with, on every gateway before the answer, and takes the cookie away. With a key instead of a session the answer is `not_found`. */
  signOut(options?: RequestOptions): Promise<EndedSession>;
  /** End a session of the console. Ends a session of the environment: one of the caller itself, of a key that it may revoke, or of a member who holds no more than it does. When it answers, every gateway refuses the session, and what was open by it is closed. The key or the member that it stood for goes on. Scope: `keys:write`. */
  end(session_id: string, options?: RequestOptions): Promise<EndedSession>;
  /** Make a link that signs in to the console once. Makes a ticket that opens one session standing for the calling key, within ten minutes. `url` leads a browser to the console with the ticket behind the `#`, which no server and no log sees. Neither an OAuth token nor a session can make one. */
  createTicket(options?: RequestOptions): Promise<SessionTicket>;
}

export interface MembersResource {
  /** List the members of the tenant. Lists the people of the tenant, in the order in which they joined, also those who were removed. Members act in the live environment; the test environment has none. Scope: `members:read`. */
  list(params?: ListMembersParams, options?: RequestOptions): Pages<Member, MemberPage>;
  /** Read one member. Returns one member with role and scopes, also one who was removed. Scope: `members:read`. */
  get(member_id: string, options?: RequestOptions): Promise<Member>;
  /** Change the role or the name of a member. Changes what a member may do; the change is in force on every gateway when the response arrives. The calling credential must hold everything that the member holds before and after the change. The last owner keeps the role: 409. Scope: `members:write`. */
  update(member_id: string, params?: UpdateMemberRequest, options?: RequestOptions): Promise<Member>;
  /** Remove a member. Removes a member for good: when the response arrives, no gateway accepts any of its sessions, and open invitations that it sent are void. Keys that it created stay valid unless `descendants=true`. The calling credential must hold everything that the member holds, and with `descendants=true` everything that each of them holds; the last owner cannot be removed: 409. A repeat returns the same answer. Scope: `members:write`. */
  remove(member_id: string, params?: RemoveMemberParams, options?: RequestOptions): Promise<RemovedMember>;
  /** Make a link that signs a member in once. For installations without an identity provider: makes a ticket that opens one session of the member, within ten minutes; pass its link on to that person alone. The calling credential must hold everything that the member holds. A member who has an account at the identity provider signs in there: 409. Scope: `members:write`. */
  createTicket(member_id: string, options?: RequestOptions): Promise<MemberTicket>;
}

export interface InvitationsResource {
  /** Invite a person. Invites the person with an e-mail address to become a member with a role that the calling credential holds itself. Cairn sends no mail: pass `url` on. Where people sign in with an identity provider, the first sign-in with that address, verified there, accepts the invitation; elsewhere the link does, once. It is good for seven days. Scope: `members:write`. */
  create(params: CreateInvitationRequest, options?: RequestOptions): Promise<InvitationWithLink>;
  /** List invitations. Lists the invitations of the tenant, oldest first, without their secrets; ended ones for thirty days. Scope: `members:read`. */
  list(params?: ListInvitationsParams, options?: RequestOptions): Pages<Invitation, InvitationPage>;
  /** Revoke an invitation. Makes an invitation void, so that nobody can accept it any more. The calling credential must hold what the role holds, or have made the invitation. One that was accepted is a member: 409. A repeat returns the same answer. Scope: `members:write`. */
  revoke(invitation_id: string, options?: RequestOptions): Promise<Invitation>;
}

export interface WorkspacesResource {
  /** Create a workspace with its primary shared memory. Creates a workspace together with its primary shared memory, in one step. A slug that you specify must be free within the tenant; a generated one gets a numeric suffix. Scope: `workspaces:write`. */
  create(params: CreateWorkspaceRequest, options?: RequestOptions): Promise<CreateWorkspaceResponse>;
  /** List the workspaces of the tenant. Lists the workspaces that are not deleted, oldest first. Scope: `workspaces:read`. */
  list(params?: ListWorkspacesParams, options?: RequestOptions): Pages<Workspace, ListWorkspacesResponse>;
  /** Read one workspace. Returns one workspace with the id of its primary memory. Scope: `workspaces:read`. */
  get(workspace_id: string, options?: RequestOptions): Promise<GetWorkspaceResponse>;
  /** Change the name, description or slug of a workspace. Changes only the fields that are given. A slug that is already taken is refused. Scope: `workspaces:write`. */
  update(
    workspace_id: string,
    params?: UpdateWorkspaceRequest,
    options?: RequestOptions,
  ): Promise<UpdateWorkspaceResponse>;
  /** Delete a workspace with all its memories. Removes the workspace, its memories and their spaces for every caller at once; keys bound to them stop working. Erasure goes on in the background and leaves no rows, index entries or files. The default workspace cannot be deleted. Scope: `workspaces:write`. */
  delete(workspace_id: string, options?: RequestOptions): Promise<DeleteWorkspaceResponse>;
}

export interface MemoriesResource {
  /** Create a memory. Creates a memory in a workspace, by default in the default one. A dedicated memory is `provisioning` until its own PostgreSQL server is ready; poll it, or wait for `active`. Scope: `memories:write`. */
  create(params: CreateMemoryRequest, options?: RequestOptions): Promise<Memory>;
  /** List the memories of the tenant or of one workspace. Lists memories with their status, hostname and policy, oldest first; `workspace_id` selects one workspace. Scope: `memories:read`. */
  list(params?: ListMemoriesParams, options?: RequestOptions): Pages<Memory, ListMemoriesResponse>;
  /** Read one memory. Returns one memory. While it is being deleted its status is `deleting`; afterwards it does not exist. Scope: `memories:read`. */
  get(memory_id: string, options?: RequestOptions): Promise<Memory>;
  /** Change, suspend or resume a memory. Changes only the fields that are given. `status: suspended` rejects every request about the memory and keeps its data; `active` resumes it. A new masking policy, and `keep_originals`, apply to what is added afterwards. Scope: `memories:write`. */
  update(memory_id: string, params?: UpdateMemoryRequest, options?: RequestOptions): Promise<Memory>;
  /** Delete a memory with everything in it. Removes the memory for every caller at once and revokes the keys bound to it; runs that read from it are erased, too. Erasure goes on in the background. A workspace's primary memory can only be deleted with the workspace. Scope: `memories:write`. */
  delete(memory_id: string, options?: RequestOptions): Promise<Memory>;
  /** Read the health of a memory. Computes a score from 0 to 100 from freshness, coverage, contradictions, orphaned entities, failed documents and waiting reviews. Each part has its weight, the number of cases and a recommendation. Scope: `graph:read`. */
  health(params?: GetMemoryHealthParams, options?: RequestOptions): Promise<GetMemoryHealthResponse>;
  /** List past assessments of the health of a memory. Lists what the health of a memory was, newest first: one row for each change, changes within ten minutes counting as one, and one a day without a change. Documents that came or went since the row before explain jumps. Rows are kept for 400 days and are erased with the memory; a key of one space gets 403. Scope: `graph:read`. */
  healthHistory(params?: ListHealthHistoryParams, options?: RequestOptions): Pages<HealthAssessment, HealthHistory>;
  /** Read whether the searches of a memory are kept. Returns whether the searches of a memory are kept, and for how many days. They are not unless turned on. Scope: `memories:read`. */
  searchLog(memory_id: string, options?: RequestOptions): Promise<SearchLogSettings>;
  /** Have the searches of a memory kept, or no longer. Changes only the fields that are given. Once on, each answered search is kept for `keep_days` days, its question masked like a document; other replicas begin within ten seconds. Turned off, no further search is kept at once, and what is there stays until its days are over. A key that is bound to a memory gets 403. Scope: `memories:write`. */
  updateSearchLog(
    memory_id: string,
    params?: UpdateSearchLogRequest,
    options?: RequestOptions,
  ): Promise<SearchLogSettings>;
}

export interface SpacesMembersResource {
  /** List the members of a space. Lists the members with their roles. Members are identified by whatever you call your users. Scope: `spaces:read`. */
  list(
    space_id: string,
    params?: ListSpaceMembersParams,
    options?: RequestOptions,
  ): Pages<SpaceMember, ListSpaceMembersResponse>;
  /** Add a member to a space or change the role. Adds the user or changes the role. Roles are informational: your application enforces them, because a key acts with its own scopes. Scope: `spaces:write`. */
  put(space_id: string, user: string, params: PutSpaceMemberRequest, options?: RequestOptions): Promise<SpaceMember>;
  /** Remove a member from a space. Removes the user from the space; nothing that the user added is deleted. Scope: `spaces:write`. */
  delete(space_id: string, user: string, options?: RequestOptions): Promise<DeleteSpaceMemberResponse>;
}

export interface SpacesResource {
  /** Create a space in a memory. Creates a space with its vault. Its name and description help to route documents that are added without a space. A slug that you specify must be free within the memory. Scope: `spaces:write`. */
  create(params: CreateSpaceRequest, options?: RequestOptions): Promise<Space>;
  /** List the spaces of the tenant or of one memory. Lists spaces, oldest first; a memory key sees those it reaches. Scope: `spaces:read`. */
  list(params?: ListSpacesParams, options?: RequestOptions): Pages<Space, ListSpacesResponse>;
  /** Read one space. Returns one space with the id of its vault. Scope: `spaces:read`. */
  get(space_id: string, options?: RequestOptions): Promise<Space>;
  /** Change the name, description or slug of a space. Changes only the fields that are given. A slug that is already taken in the memory is refused. Scope: `spaces:write`. */
  update(space_id: string, params?: UpdateSpaceRequest, options?: RequestOptions): Promise<Space>;
  /** Delete a space with its documents and threads. Removes the space with its documents, threads and keys for every caller at once. Erasure goes on in the background and includes runs that read from the space. Scope: `spaces:write`. */
  delete(space_id: string, options?: RequestOptions): Promise<DeleteSpaceResponse>;
  /** Call the MCP endpoint of a space. Takes one message of the Model Context Protocol over Streamable HTTP, without sessions. It offers search, documents, threads and the graph of this space as tools, each under the scope of its operation. Scope: `spaces:read`. */
  mcp(space_id: string, params?: CallMcpRequest, options?: RequestOptions): Promise<unknown>;
  readonly members: SpacesMembersResource;
}

export interface ProviderKeysResource {
  /** Store your own key of a model provider. Stores your own API key of a model provider, or replaces it. It is encrypted with a key that is kept outside the database, and never returned. Model calls on it are not charged. Scope: `providers:write`. */
  put(provider: string, params: PutProviderKeyRequest, options?: RequestOptions): Promise<ProviderKey>;
  /** List the providers for which a key is stored. Lists the providers for which a key is stored, with the base URL and the time of change, never with the key. Scope: `providers:read`. */
  list(options?: RequestOptions): Promise<ListProviderKeysResponse>;
  /** Read what is known of a stored provider key. Returns the provider, the base URL and when the key was stored and changed. Scope: `providers:read`. */
  get(provider: string, options?: RequestOptions): Promise<ProviderKey>;
  /** Delete a stored provider key. Deletes the key. Later model calls use the operator's provider, if there is one. Scope: `providers:write`. */
  delete(provider: string, options?: RequestOptions): Promise<DeleteProviderKeyResponse>;
  /** Ask the provider whether a stored key works. Asks the provider for its list of models with the stored key, which costs nothing, and waits ten seconds at most. `ok` says that the provider took the key, `failure` what went wrong otherwise, `models` which of the installation's models of this provider it lists. Neither the key nor the provider's words are part of the answer. Scope: `providers:write`. */
  test(provider: string, params?: TestProviderKeyRequest, options?: RequestOptions): Promise<ProviderKeyTest>;
}

export interface ModelsResource {
  /** List the models of the installation. The language models that `llm_model` takes, the default first, then the embedding and the reranking model. Each with today's prices and whose key a call of this tenant would use. Empty where the operator has configured none: searches and runs then work without a model. Scope: `providers:read`. */
  list(options?: RequestOptions): Promise<ListModelsResponse>;
}

export interface ThreadsTurnsResource {
  /** Add a turn to a conversation. Appends a turn, which is stored when the response arrives. What the memory's policy masks is masked before it is stored, and the response shows the masked text. Scope: `threads:write`. */
  add(thread_id: string, params: AddTurnRequest, options?: RequestOptions): Promise<Turn>;
  /** List the turns of a conversation, oldest first. Returns the turns in the order in which they were added. Scope: `threads:read`. */
  list(thread_id: string, params?: ListTurnsParams, options?: RequestOptions): Pages<Turn, ListTurnsResponse>;
}

export interface ThreadsResource {
  /** Start a conversation in a memory or in one of its spaces. Starts a conversation in a memory or in one of its spaces. Searches that name it understand follow-up questions and add their question and answer as turns. Scope: `threads:write`. */
  create(params?: CreateThreadRequest, options?: RequestOptions): Promise<Thread>;
  /** List the conversations of the tenant, of one memory or of one space. Lists conversations without their turns, oldest first. Scope: `threads:read`. */
  list(params?: ListThreadsParams, options?: RequestOptions): Pages<Thread, ListThreadsResponse>;
  /** Download all conversations of a memory. Streams every thread, oldest first, each followed by its turns. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. Scope: `threads:read`. */
  export(params?: ExportThreadsParams, options?: RequestOptions): Promise<Response>;
  /** Read one conversation, without its turns. Returns title, place, user and number of turns. Scope: `threads:read`. */
  get(thread_id: string, options?: RequestOptions): Promise<Thread>;
  /** Change the title of a conversation. Changes the title of the conversation; its turns stay as they are. Scope: `threads:write`. */
  update(thread_id: string, params?: UpdateThreadRequest, options?: RequestOptions): Promise<Thread>;
  /** Delete a conversation with its turns. Deletes the conversation with all its turns, permanently. Scope: `threads:write`. */
  delete(thread_id: string, options?: RequestOptions): Promise<DeleteThreadResponse>;
  readonly turns: ThreadsTurnsResource;
}

export interface DocumentsResource {
  /** Add one document or up to 100 to a memory. Accepts a text, the address of a page or file, a list of up to 100 of them, or a form with one file. All documents of a request are accepted together or not at all, and are stored durably when the response arrives. Each is searchable by the time its `status` is `completed`; `external_id` replaces an earlier version. Scope: `documents:write`. */
  add(params?: IngestDocumentsRequest, options?: RequestOptions): Promise<IngestDocumentsResponse>;
  /** Add one document or up to 100 to a memory. Accepts a text, the address of a page or file, a list of up to 100 of them, or a form with one file. All documents of a request are accepted together or not at all, and are stored durably when the response arrives. Each is searchable by the time its `status` is `completed`; `external_id` replaces an earlier version. Scope: `documents:write`. */
  upload(file: FileInput, fields?: IngestDocumentsFields, options?: RequestOptions): Promise<IngestDocumentsResponse>;
  /** List the documents of a memory. Lists documents with their status, by default the oldest first. Filters select by status, space, words of title or external id, and whether a person has to confirm where a document belongs. With `query` a page may have fewer documents than `limit`, or none, and still a `next_cursor`: each page looks at a bounded number of documents. Scope: `documents:read`. */
  list(params?: ListDocumentsParams, options?: RequestOptions): Pages<Document, ListDocumentsResponse>;
  /** Count the documents of a memory. Counts the documents of a memory, or of one of its spaces, by status, error, space and format, as of one moment. Also tells how long the oldest document has been waiting and how many were completed lately. Scope: `documents:read`. */
  stats(params?: GetDocumentStatsParams, options?: RequestOptions): Promise<DocumentStats>;
  /** Download all documents of a memory with their text. Streams every document, oldest first, each followed by its passages in their order. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. `after` goes on behind a document that arrived whole. Scope: `documents:read`. */
  export(params?: ExportDocumentsParams, options?: RequestOptions): Promise<Response>;
  /** Read the status of one document. Returns the processing status of a document, its space and routing, what was masked and, if it failed, why. Scope: `documents:read`. */
  get(doc_id: string, params?: GetDocumentParams, options?: RequestOptions): Promise<Document>;
  /** Delete many documents, by their ids or by a filter. Starts a job that deletes up to 1,000 documents by their ids, or all that a filter matches, with everything made of them. It goes on by itself, through restarts too; read it by its `job_id`. A filter is matched when the job comes to a document, and never takes one that was added after the job. `dry_run` starts nothing and counts what would be deleted. Scope: `documents:write`. */
  deleteMany(params?: DeleteDocumentsRequest, options?: RequestOptions): Promise<StartedDocumentJob>;
  /** Try failed documents again, by their ids or by a filter. Starts a job that queues failed documents again: up to 1,000 by their ids, or all that a filter matches. An address is fetched again; a text or file is read again while what was sent is kept, encrypted: for seven days after the failure unless the operator sets another time. Documents with which nothing could be done are listed in the job with the reason. Scope: `documents:write`. */
  retryMany(params?: RetryDocumentsRequest, options?: RequestOptions): Promise<StartedDocumentJob>;
  /** List the jobs over documents of a memory. Lists the jobs that delete documents or try them again, newest first: those that run, and those that ended in the last seven days. A key of one space sees the jobs of that space only. Scope: `documents:read`. */
  jobs(params?: ListDocumentJobsParams, options?: RequestOptions): Pages<DocumentJob, DocumentJobs>;
  /** Read how far a job over documents is. Returns how many documents a job has dealt with, and those with which nothing could be done, with the reason: the first 1,000 by id; `failed` counts all. A job is kept for seven days after its end. Scope: `documents:read`. */
  job(job_id: string, params?: GetDocumentJobParams, options?: RequestOptions): Promise<DocumentJobDetail>;
  /** Read the text of a document. Returns the stored text of a document in its order, chunk by chunk, with headings, page numbers and the places of its facts. Values that screening masked are masked here too. A document that is replaced keeps its earlier text until the new one is indexed; `updated_at` tells whether it changed between two pages. Scope: `documents:read`. */
  content(
    doc_id: string,
    params?: GetDocumentContentParams,
    options?: RequestOptions,
  ): Pages<DocumentChunk, DocumentContent>;
  /** Download what was handed in as a document. Returns the text or file byte by byte as it was handed in, or as it was fetched from its address, as a download. It is there only for documents that were indexed while the memory had `keep_originals` on, and in which screening masked nothing; `original` of a document says so. A document that is replaced keeps the original of its earlier version until the new one is indexed. Scope: `documents:read`. */
  original(doc_id: string, params?: GetDocumentOriginalParams, options?: RequestOptions): Promise<Response>;
  /** Change title, metadata or time of a document. Changes what is said about a completed document; its text stays as it is. Title and metadata are screened like those of a new document. Searches and the graph follow by the time the response arrives; a changed title or time gives the chunks new ids. 409 while the document is being processed, or when it failed. Scope: `documents:write`. */
  update(doc_id: string, params?: UpdateDocumentRequest, options?: RequestOptions): Promise<Document>;
  /** Delete one document with everything made of it. Deletes the document with its chunks, vectors, names, links and facts. Searches do not find it any more when the response arrives. Scope: `documents:write`. */
  delete(doc_id: string, params?: DeleteDocumentParams, options?: RequestOptions): Promise<DeleteDocumentResponse>;
  /** Decide to which space a document belongs. Confirms or changes the space of a document and moves it with its chunks. Later documents are routed by such decisions. `null` moves it to the memory's root. Scope: `documents:write`. */
  route(doc_id: string, params: RouteDocumentRequest, options?: RequestOptions): Promise<Document>;
}

export interface ChunksResource {
  /** Read one chunk of a document. Returns the text that citations, results and facts refer to by `chunk_id`, with its place in the document and the chunks beside it. A new version of a document keeps the ids of chunks whose text did not change; the others are not found any more. Scope: `documents:read`. */
  get(chunk_id: string, params?: GetChunkParams, options?: RequestOptions): Promise<Chunk>;
}

export interface GraphEntitiesResource {
  /** List entities, or find them by name. Lists entities, all or those whose name or alias matches `query`, optionally of one type. With `type`, a page may hold fewer than `limit` although more follow: `next_cursor` says so. Scope: `graph:read`. */
  list(params?: ListEntitiesParams, options?: RequestOptions): Pages<Entity, EntityPage>;
  /** Read an entity with the facts stated about it. Returns an entity with its aliases and with the facts stated about it, each with the quote and the document that states it. Scope: `graph:read`. */
  get(entity_id: string, params?: GetEntityParams, options?: RequestOptions): Promise<GetEntityResponse>;
}

export interface GraphLinksResource {
  /** Read how two entities are linked and which sentences say so. Returns every link between two entities, in both directions, and page by page the passages that state them, each with its sentences and their places. The links are complete on every page. Two entities without a link have an empty answer. Scope: `graph:read`. */
  get(source: string, target: string, params?: GetEntityLinksParams, options?: RequestOptions): Promise<EntityLinks>;
}

export interface GraphContradictionsResource {
  /** List contradictions between documents. Lists statements of different documents about one relation of one entity that cannot all be true, each with its quote and document. Scope: `graph:read`. */
  list(params?: ListContradictionsParams, options?: RequestOptions): Pages<Contradiction, ListContradictionsResponse>;
  /** Read a contradiction with its statements. Returns one contradiction with all its facts, quotes and documents, and with its resolution, if there is one. Scope: `graph:read`. */
  get(contradiction_id: string, params?: GetContradictionParams, options?: RequestOptions): Promise<Contradiction>;
  /** Resolve a contradiction. Records which fact holds, or that both do. The other facts are marked as superseded. Repeating a resolution returns the response of the first; a different winner is refused until it is reopened. Scope: `graph:write`. */
  resolve(
    contradiction_id: string,
    params: ResolveContradictionRequest & ResolveContradictionParams,
    options?: RequestOptions,
  ): Promise<Contradiction>;
  /** Reopen a resolved contradiction. Reverts a resolution: every fact stands again. Scope: `graph:write`. */
  reopen(
    contradiction_id: string,
    params?: ReopenContradictionRequest & ReopenContradictionParams,
    options?: RequestOptions,
  ): Promise<Contradiction>;
}

export interface GraphReviewsResource {
  /** List pairs of names that may mean the same entity. Lists pairs of names that are similar enough to be one entity and not similar enough to be merged without asking. Scope: `graph:read`. */
  list(params?: ListEntityReviewsParams, options?: RequestOptions): Pages<EntityReview, ListEntityReviewsResponse>;
  /** Decide whether two names mean the same entity. Records whether both names mean the same entity. `same` merges the two; later documents follow the decision. Scope: `graph:write`. */
  decide(
    review_id: string,
    params: DecideEntityReviewRequest & DecideEntityReviewParams,
    options?: RequestOptions,
  ): Promise<EntityDecision>;
}

export interface GraphDecisionsResource {
  /** List merges, splits and rejected merges. Lists what people decided about names: which entities were merged, split or kept apart, when, and with what effect. Scope: `graph:read`. */
  list(
    params?: ListEntityDecisionsParams,
    options?: RequestOptions,
  ): Pages<EntityDecision, ListEntityDecisionsResponse>;
  /** Undo a merge or split. Reverts one decision; the graph is recomputed as if it had never been made. Scope: `graph:write`. */
  undo(
    decision_id: string,
    params?: UndoEntityDecisionParams,
    options?: RequestOptions,
  ): Promise<UndoEntityDecisionResponse>;
}

export interface GraphResource {
  /** Walk the knowledge graph from an entity, up to six hops. Returns the entities within `max_hops` links of an entity, in both directions, ordered by distance and centrality, with the links among them. `truncated` says whether `limit` cut off the end of that order. Scope: `graph:read`. */
  explore(entity_id: string, params?: ExploreGraphParams, options?: RequestOptions): Promise<ExploreGraphResponse>;
  /** Find how two entities are connected, step by step. Returns a shortest path of links between two entities, followed in both directions, and for each step the links and the sentences that state them. Of several shortest paths it is one whose weakest step has the most weight. No path within `max_hops`, 6 unless it says less, is an empty answer. At most 10000 entities are looked at; `truncated` says that there were more, so that a path, or a shorter one, may have been missed. Scope: `graph:read`. */
  path(source: string, target: string, params?: GetEntityPathParams, options?: RequestOptions): Promise<EntityPath>;
  /** Read a picture of the whole knowledge graph. Returns the most central entities with their places in a picture, the weightiest links among them, the communities that they belong to, and how many entities and communities there are in all. A key of one space gets the entities that its documents mention most, without places. Scope: `graph:read`. */
  overview(params?: GetGraphOverviewParams, options?: RequestOptions): Promise<GraphOverview>;
  /** Download all entities and facts of a memory. Streams every entity with its aliases, then every fact with its quote and document. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. Scope: `graph:read`. */
  export(params?: ExportGraphParams, options?: RequestOptions): Promise<Response>;
  /** Merge entities. Makes several entities one, with all their names, links and facts. The merge is a decision that outlives new versions of documents and can be undone. Scope: `graph:write`. */
  merge(params: MergeEntitiesRequest & MergeEntitiesParams, options?: RequestOptions): Promise<MergeEntitiesResponse>;
  /** Split an entity. Separates some names of an entity, or what some documents mean by it, into an entity of its own. The split is a decision that can be undone. Scope: `graph:write`. */
  split(params: SplitEntityRequest & SplitEntityParams, options?: RequestOptions): Promise<SplitEntityResponse>;
  readonly entities: GraphEntitiesResource;
  readonly links: GraphLinksResource;
  readonly contradictions: GraphContradictionsResource;
  readonly reviews: GraphReviewsResource;
  readonly decisions: GraphDecisionsResource;
}

export interface SearchResource {
  /** Search a memory and get a cited answer. Returns the best passages and an answer in which every sentence cites its source. Without a model the answer consists of verbatim sentences; with one it is written from the passages and checked against them. Open contradictions among the sources are returned with it. With `thread_id` the question and the answer are added as turns. Scope: `memory:search`. */
  query(params: SearchMemoryRequest, options?: RequestOptions): Promise<SearchAnswer>;
  /** Search a memory and stream the cited answer. Answers like `searchMemory`, as server-sent events: `sources`, then `token` several times, then `done`. The concatenated tokens are the answer; `done` has all that `searchMemory` returns, with results, entities and the places of what is cited. Closing the connection cancels the work, including the model call. Scope: `memory:search`. */
  stream(params: StreamSearchRequest, options?: RequestOptions): EventStream<StreamSearchEvent>;
}

export interface SearchesResource {
  /** List what was asked of a memory. Lists the searches of a memory that were kept, newest first. Nothing is kept unless `updateSearchLog` has turned it on. A key of one space sees the searches of that space only. Scope: `threads:read`. */
  list(params?: ListSearchesParams, options?: RequestOptions): Pages<LoggedSearch, LoggedSearches>;
  /** Read a search that was kept. Returns a kept search by the `search_id` of its answer. A search is kept just after its answer was made, and one whose process dies at that moment may be missing. Scope: `threads:read`. */
  get(search_id: string, params?: GetSearchParams, options?: RequestOptions): Promise<LoggedSearch>;
  /** Say whether the answer of a search helped. Keeps whether the answer helped, with a comment if there is one, masked like the question. A repeat replaces what was said before; without `comment` the search has none afterwards. 404 for a search that was not kept. Scope: `memory:search`. */
  rate(search_id: string, params: RateSearchRequest, options?: RequestOptions): Promise<LoggedSearch>;
}

export interface RunsResource {
  /** Prepare a web and research run. Prepares a run that answers from the web and the tenant's memory, and collects what it finds in a list. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call. Scope: `search:run`. */
  startWeb(params: StartWebResearchRequest, options?: RequestOptions): Promise<WebSession & RunHandle>;
  /** Prepare a crawl of the sites named in the prompt. Prepares a run that reads the sites named in the prompt and collects the entities asked for into a list, each cell with its quote. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call. Scope: `search:run`. */
  startCrawl(params: StartCrawlerRequest, options?: RequestOptions): Promise<WebSession & RunHandle>;
  /** Build a list of people who meet the criteria in the prompt. Starts at once to build a list of people who meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends. Scope: `search:run`. */
  startPeople(
    params: StartPeopleSearchRequest,
    options?: RequestOptions,
  ): Promise<StartPeopleSearchResponse & RunHandle>;
  /** Build a list of companies that meet the criteria in the prompt. Starts at once to build a list of companies that meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends. Scope: `search:run`. */
  startCompanies(
    params: StartCompanySearchRequest,
    options?: RequestOptions,
  ): Promise<StartCompanySearchResponse & RunHandle>;
  /** Continue a people or company search with a higher target. Raises the target of a list search and continues it: rows that it has stay, and nobody is listed twice. The target must be higher than the number of rows. Scope: `search:run`. */
  continue(params: ContinueListSearchRequest, options?: RequestOptions): Promise<ContinueListSearchResponse>;
  /** Stop a run. Ends a run immediately and keeps what it found. Stopping a run that has ended returns the same answer. Scope: `search:run`. */
  stop(thread_id: string, options?: RequestOptions): Promise<StopRunResponse>;
  /** List the runs of the tenant. Lists runs of every kind, newest first, 50 to a page unless `limit` says otherwise. Filters select by kind, status and words of the prompt; runs that wait for an answer have the status `awaiting_clarification`. Scope: `search:run`. */
  list(params?: ListRunsParams, options?: RequestOptions): Pages<RunSummary, ListRunsResponse>;
  /** List the events of a run. Returns the log of a run in order, the same events that its stream sends, 50 to a page unless `limit` says otherwise. The number of the last event that you have is the cursor of what follows it. Scope: `search:run`. */
  log(
    thread_id: string,
    params?: ListRunEventsParams,
    options?: RequestOptions,
  ): Pages<RunEvent, ListRunEventsResponse>;
  /** List what a run has read. Lists the documents, pages and files that a run has read, in the order in which it read them, without their texts; 50 to a page by default. Scope: `search:run`. */
  sources(
    thread_id: string,
    params?: ListRunSourcesParams,
    options?: RequestOptions,
  ): Pages<RunSource, ListRunSourcesResponse>;
  /** Read the status of a run. Returns stage, progress, results so far, the open question, if any, and a fresh ticket for the WebSocket. Scope: `search:run`. */
  status(thread_id: string, options?: RequestOptions): Promise<RunStatus>;
  /** Download the report of a run. Returns the report as Markdown, HTML, PDF or JSON. A run that has none yet is refused. Scope: `search:run`. */
  report(thread_id: string, params?: ExportReportParams, options?: RequestOptions): Promise<Response>;
  /** Start deep research. Starts deep research at once: questions, reading, gaps, and a report whose statements cite their quotes. The price is reserved now and charged once at the end. Follow it by its event stream. Scope: `search:run`. */
  startResearch(params: StartResearchRequest, options?: RequestOptions): Promise<StartResearchResponse & RunHandle>;
  /** Answer the question of a research run. Answers the question that the run asked and lets it go on. A run that has no open question refuses it. Scope: `search:run`. */
  answer(
    thread_id: string,
    params: RespondToResearchParams,
    options?: RequestOptions,
  ): Promise<RespondToResearchResponse>;
  /** Prepare a deep search or answer its question. Prepares a run that reads reference files, the memory and the web. It starts when a WebSocket connects to `websocket_url`, or with this call when `start` is `now`. With `thread_id` and `list_id` the prompt answers the question that the run has asked. Scope: `search:run`. */
  startDeepSearch(
    params: StartDeepSearchRequest,
    options?: RequestOptions,
  ): Promise<StartDeepSearchResponse & RunHandle>;
  /** Upload a reference file for a deep search. Gives an active deep search one file that only this run reads. Its format is detected from its content. At most 20 files for each run. Scope: `search:run`. */
  uploadReference(
    file: FileInput,
    fields: UploadReferenceFields,
    options?: RequestOptions,
  ): Promise<UploadReferenceResponse>;
  /** Follow a run as server-sent events. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`. */
  streamResearch(
    thread_id: string,
    params?: StreamResearchParams,
    options?: RequestOptions,
  ): EventStream<StreamResearchEvent>;
  /** Follow a run as server-sent events, below /api/v1. The same stream as `/research/stream/{thread_id}`, below `/api/v1`. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`. */
  streamResearchVersioned(
    thread_id: string,
    params?: StreamResearchVersionedParams,
    options?: RequestOptions,
  ): EventStream<StreamResearchVersionedEvent>;
  /** Follow a run as server-sent events, below /api/v1/search. The same stream as `/research/stream/{thread_id}`, beside the other operations of runs. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`. */
  stream(
    thread_id: string,
    params?: StreamSearchRunParams,
    options?: RequestOptions,
  ): EventStream<StreamSearchRunEvent>;
  /** Connect to a run by WebSocket. Opens a WebSocket to a run; for runs that were only prepared, the first connection starts them. It sends the events of the run and accepts `clarification.answer`, `cancel` and `ping`. Losing the connection does not affect the run. Scope: `search:run`. */
  connect(thread_id: string, params?: ConnectRunParams, options?: RequestOptions): Promise<Connection>;
  /** Show the live page of a run. Returns a page that shows the run while it works. `live_url` contains a ticket for it, valid for a day, that opens this run only. Scope: `search:run`. */
  livePage(thread_id: string, params?: ShowLivePageParams, options?: RequestOptions): Promise<Response>;
  /** Stream the events of the live page. Sends the events that the live page shows, under the page's own ticket. Scope: `search:run`. */
  streamLivePage(
    thread_id: string,
    params?: StreamLivePageParams,
    options?: RequestOptions,
  ): EventStream<StreamLivePageEvent>;
}

export interface SourcesResource {
  /** Read the text that a quote is from. Returns one source of a run with a part of its text, as the run read it: `start` and `quote` of evidence are places in it. Texts are kept for a while after the run's end; `text` is null when it is over. Scope: `search:run`. */
  get(source_id: string, params?: GetSourceParams, options?: RequestOptions): Promise<SourceText>;
}

export interface ListsResource {
  /** List the saved lists. Lists the saved lists of people and company searches, newest first; those of the web are included on request. Scope: `lists:read`. */
  list(params?: ListSavedListsParams, options?: RequestOptions): NumberedPages<SavedList, ListSavedListsResponse>;
  /** Read one saved list. Returns one saved list with its criteria and columns. Scope: `lists:read`. */
  get(list_id: string, options?: RequestOptions): Promise<SavedList>;
  /** Read the rows of a list with the evidence of every cell. Returns the rows of a list, each cell with its quote, source and confidence. Scope: `lists:read`. */
  rows(list_id: string, params?: ListRowsParams, options?: RequestOptions): NumberedPages<ListRow, ListRowsResponse>;
  /** Download a list with all its rows. Returns all rows as CSV or JSON. Values that a spreadsheet would take for a formula are escaped in CSV. Scope: `lists:read`. */
  export(list_id: string, params?: ExportListParams, options?: RequestOptions): Promise<Response>;
}

export interface EventsResource {
  /** Follow what happens as server-sent events. Sends what happens, each event once and in order: from now on, or after `Last-Event-ID`. The events that webhooks receive come with the same bodies; besides, it tells of documents that were queued, failed or deleted, of the status of runs, and of credentials. An event needs the scope of the operations that show the same: `documents:read` for documents, `graph:read` for entities, contradictions and health, `search:run` for runs, `keys:read` for credentials; a credential of one memory sees that memory, one of one space is refused. Events are kept for three days, and 409 says that some after the given one may be gone. A stream ends after ten minutes; reconnect with the last id, which `stream.position` renews while nothing else happens. */
  stream(params?: StreamEventsParams, options?: RequestOptions): EventStream<StreamEventsEvent>;
}

export interface WebhooksDeliveriesResource {
  /** List the deliveries of a webhook. Lists deliveries with their attempts, newest first, 50 to a page unless `limit` says otherwise. Scope: `webhooks:read`. */
  list(
    webhook_id: string,
    params?: ListDeliveriesParams,
    options?: RequestOptions,
  ): Pages<Delivery, ListDeliveriesResponse>;
  /** Read one delivery with its attempts. Returns one delivery with what is sent and every attempt: time, status, latency and the beginning of the response. Scope: `webhooks:read`. */
  get(webhook_id: string, delivery_id: string, options?: RequestOptions): Promise<DeliveryWithRequest>;
  /** Redeliver one event. Delivers again at once: a delivery that was given up, one that succeeded, or one that waits for its next attempt. Scope: `webhooks:write`. */
  replay(
    webhook_id: string,
    delivery_id: string,
    params?: ReplayDeliveryRequest,
    options?: RequestOptions,
  ): Promise<Delivery>;
}

export interface WebhooksResource {
  /** Create a webhook. Registers an HTTPS endpoint for event types. The signing secret is returned once. A tenant has at most 100 webhooks. Scope: `webhooks:write`. */
  create(params: CreateWebhookRequest, options?: RequestOptions): Promise<WebhookWithSecret>;
  /** List the webhooks of the tenant. Lists the webhooks with the health of their endpoints, without their secrets. Scope: `webhooks:read`. */
  list(params?: ListWebhooksParams, options?: RequestOptions): Pages<Webhook, ListWebhooksResponse>;
  /** Read one webhook. Returns one webhook with the health of its endpoint. Scope: `webhooks:read`. */
  get(webhook_id: string, options?: RequestOptions): Promise<Webhook>;
  /** Change, pause or resume a webhook. Changes only the fields that are given. While a webhook is not active no event is recorded for it, and deliveries that wait go on waiting. Scope: `webhooks:write`. */
  update(webhook_id: string, params?: UpdateWebhookRequest, options?: RequestOptions): Promise<Webhook>;
  /** Delete a webhook with its deliveries. Deletes a webhook; a request that is under way may still arrive, and none after it. Its deliveries are erased in the background. Scope: `webhooks:write`. */
  delete(webhook_id: string, options?: RequestOptions): Promise<DeleteWebhookResponse>;
  /** Rotate the signing secret of a webhook. Creates a new signing secret and returns it once. Until the overlap ends every request carries both signatures, so that receivers can change over. Scope: `webhooks:write`. */
  rotateSecret(
    webhook_id: string,
    params?: RotateWebhookSecretRequest,
    options?: RequestOptions,
  ): Promise<WebhookWithSecret>;
  /** Send a test event. Sends one test event at once, without retries, and returns the endpoint's response: a ping, or with `event` that type's example, whose ids exist nowhere. Scope: `webhooks:write`. */
  test(webhook_id: string, params?: TestWebhookRequest, options?: RequestOptions): Promise<Delivery>;
  /** List the deliveries of all webhooks. Lists deliveries of every webhook with their attempts, newest first, 50 to a page by default. Scope: `webhooks:read`. */
  allDeliveries(params?: ListAllDeliveriesParams, options?: RequestOptions): Pages<Delivery, ListAllDeliveriesResponse>;
  /** Read how well the endpoints answer. Returns for each webhook what became of the deliveries of the last hours, how many attempts were accepted, and how long the endpoint took. At most the latest 10,000 deliveries of each webhook are looked at. Scope: `webhooks:read`. */
  stats(params?: GetWebhookStatsParams, options?: RequestOptions): Promise<GetWebhookStatsResponse>;
  /** List the events that a webhook can receive. Returns each type of event with a description, the JSON Schema of what is delivered, and an example. Scope: `webhooks:read`. */
  eventTypes(options?: RequestOptions): Promise<ListWebhookEventTypesResponse>;
  /** Redeliver dead letters. Delivers again what was given up: everything of the webhook, or the deliveries that are named. Scope: `webhooks:write`. */
  replay(
    webhook_id: string,
    params?: ReplayDeadLettersRequest,
    options?: RequestOptions,
  ): Promise<ReplayDeadLettersResponse>;
  readonly deliveries: WebhooksDeliveriesResource;
}

export interface UsageResource {
  /** Read the usage of models. Returns tokens, calls, cost and credits by UTC day, by model, or by both. A call appears within seconds. `cost_usd` is null when no call of the row has a known price. Scope: `usage:read`. */
  llm(params?: ReadLlmUsageParams, options?: RequestOptions): Promise<ReadLlmUsageResponse>;
  /** Read how many requests there were. Returns the requests that were permitted, those beyond their rate or quota included, by UTC hour or day, by operation, or by key or OAuth client, with their errors and how long they took at the gateway. A request appears within some seconds; streams are counted and not timed. Requests are kept for 90 days; what a gateway had not reported when it was killed is missing, ten seconds at most. Scope: `usage:read`. */
  requests(params?: ReadRequestsParams, options?: RequestOptions): Promise<ReadRequestsResponse>;
  /** Read the credits of the month. Returns the month's balance and the ledger that explains it, newest first. Scope: `usage:read`. */
  credits(params?: ReadCreditsParams, options?: RequestOptions): Pages<LedgerEntry, ReadCreditsResponse>;
  /** Read what is used of each of the plan's limits. Each resource as the service counts it that enforces its limit: what is used, the limit, and when that starts at 0 again. `monthly_requests` includes what gateways hold in advance, some hundred requests at most for each. `rate` is what all credentials together may send; what a single one may is in `whoami`. Scope: `usage:read`. */
  limits(options?: RequestOptions): Promise<Limits>;
}

export interface Resources {
  readonly account: AccountResource;
  readonly audit: AuditResource;
  readonly keys: KeysResource;
  readonly oauthClients: OauthClientsResource;
  readonly oauth: OauthResource;
  readonly apps: AppsResource;
  readonly sessions: SessionsResource;
  readonly members: MembersResource;
  readonly invitations: InvitationsResource;
  readonly workspaces: WorkspacesResource;
  readonly memories: MemoriesResource;
  readonly spaces: SpacesResource;
  readonly providerKeys: ProviderKeysResource;
  readonly models: ModelsResource;
  readonly threads: ThreadsResource;
  readonly documents: DocumentsResource;
  readonly chunks: ChunksResource;
  readonly graph: GraphResource;
  readonly search: SearchResource;
  readonly searches: SearchesResource;
  readonly runs: RunsResource;
  readonly sources: SourcesResource;
  readonly lists: ListsResource;
  readonly events: EventsResource;
  readonly webhooks: WebhooksResource;
  readonly usage: UsageResource;
}
