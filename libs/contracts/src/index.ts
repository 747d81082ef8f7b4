export { mayHoldCredentials } from './credential-fields.ts';
export { isDisplayable, isDisplayableText, displayable } from './shown-text.ts';
export {
  DEAD_LETTER_SUBJECT_ROOT,
  decodeEvent,
  encodeEvent,
  EVENT_SUBJECT_ROOT,
  subjectOfKind,
  subjectOfScope,
  originOfEvent,
  originOfSubject,
} from './events/event.ts';
export type { EncodedEvent, EventScope } from './events/event.ts';
export { EVENT_SERVICES } from './events/event-declaration.ts';
export type { EventKind, EventService } from './events/event-declaration.ts';
export { deadLettersOf, EVENT_CONSUMERS, EVENT_ERASER, publishableSubject } from './events/event-flow.ts';
export type { EventConsumer } from './events/event-flow.ts';
export { EVENT_PUBLISHERS, EVENT_SUBJECTS } from './events/event-table.ts';
export {
  publicPayload,
  STREAM_EVENT_TYPES,
  STREAM_EVENTS,
  STREAM_ONLY_TYPES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_EVENTS,
  webhookBodySchema,
} from './events/public-events.ts';
export type { StreamEvent, WebhookEvent } from './events/public-events.ts';
export type { AuditRecorded, AuditTarget, Event, LlmUsage } from './gen/cairn/events/v1/events_pb.ts';
export { EventSchema, LlmUsageSchema } from './gen/cairn/events/v1/events_pb.ts';
export type { JournalEntry } from './gen/cairn/events/v1/journal_pb.ts';
export {
  decodeJournalEntry,
  encodeJournalEntry,
  JOURNAL_SERVICES,
  JOURNAL_SUBJECT_ROOT,
  journalSubjectOf,
} from './journal.ts';
export { EventReplayService } from './gen/cairn/events/v1/replay_pb.ts';
export {
  CredentialSchema,
  AllowanceService,
  Denial,
  KeyKind,
  KeysOperatorService,
  KeysService,
  KeysTenancyService,
  TenantRefSchema,
} from './gen/cairn/keys/v1/keys_pb.ts';
export type {
  Credential,
  DrawAllowancesRequest,
  DrawAllowancesResponse,
  RateLimit,
  RenewLeaseRequest,
  ReportUsageRequest as UsageReport,
  ResolveRequest,
  SettleHoldsRequest,
  TenantRef,
} from './gen/cairn/keys/v1/keys_pb.ts';
export { Effect, GatewayService } from './gen/cairn/gateway/v1/gateway_pb.ts';
export { MemoryMoveService, MemoryReadService, MemoryStoreService } from './gen/cairn/memory/v1/memory_pb.ts';
export type { Scope as ErasureScope } from './gen/cairn/memory/v1/memory_pb.ts';
export {
  EngineDirectoryService,
  MemorySettingsService,
  ProviderKeyService,
  TenancyOperatorService,
  TenancyService,
  TenantDirectoryService,
} from './gen/cairn/tenancy/v1/tenancy_pb.ts';
export type {
  Engine as EngineMessage,
  EngineConnection,
  Memory as MemoryMessage,
  Space as SpaceMessage,
  Tenant as TenantMessage,
  TenantSummary,
} from './gen/cairn/tenancy/v1/tenancy_pb.ts';
export type { MemoryMove as MemoryMoveMessage } from './gen/cairn/tenancy/v1/moves_pb.ts';
export { ResearchErasureService, ResearchFeaturesService } from './gen/cairn/research/v1/research_pb.ts';
export {
  WebhooksErasureService,
  WebhooksOperatorService,
  WebhookUseService,
} from './gen/cairn/webhooks/v1/webhooks_pb.ts';
export {
  ChargeService,
  ChargeState,
  CreditUseService,
  UsageErasureService,
  UsageOperatorService,
} from './gen/cairn/usage/v1/usage_pb.ts';
export type { Charge } from './gen/cairn/usage/v1/usage_pb.ts';
export { BURST_MAX, clampRate, REQUESTS_PER_SECOND_MAX, REQUESTS_PER_SECOND_MIN } from './rate-bounds.ts';
export { REQUEST_DURATION_BOUNDS_MS } from './request-durations.ts';
export {
  initialMemorySettings,
  MEMORY_SETTING_NAMES,
  MEMORY_SETTINGS,
  memorySettingsOf,
  readMemorySettings,
} from './memory-settings.ts';
export type { MemorySettings } from './memory-settings.ts';
export { ID_PREFIXES, idFloor, idPattern, idTime, isId, newId } from './ids.ts';
export type { IdKind } from './ids.ts';
export { EXAMPLES, type OperationExample } from './examples.ts';
export { openApiDocument } from './openapi.ts';
export type { OpenApiInfo } from './openapi.ts';
export {
  DEFAULT_BODY_MAX_BYTES,
  DEFAULT_BODY_MAX_VALUES,
  defineOperation,
  errorsOf,
  isGuarded,
  largestBodyOf,
  SERVICE_NAMES,
} from './operation.ts';
export type {
  ResponseOf,
  EventData,
  FileOperation,
  GuardedOperation,
  JsonOperation,
  McpOperation,
  Method,
  PublicOperation,
  Operation,
  RequestOf,
  ServiceName,
  SocketOperation,
  StreamOperation,
  UploadedFile,
  UploadShape,
} from './operation.ts';
export { listAuditEvents } from './operations/audit.ts';
export { deleteDocuments, getDocumentJob, listDocumentJobs, retryDocuments } from './operations/document-jobs.ts';
export { getChunk, getDocumentContent, getDocumentOriginal } from './operations/document-content.ts';
export { getDocumentStats } from './operations/document-stats.ts';
export {
  deleteDocument,
  DOCUMENT_STATUSES,
  getDocument,
  INGEST_BATCH_MAX,
  INGEST_BODY_MAX_BYTES,
  INGEST_FILE_MAX_BYTES,
  ingestDocuments,
  listDocuments,
  routeDocument,
  updateDocument,
} from './operations/documents.ts';
export {
  decideEntityReview,
  listEntityDecisions,
  listEntityReviews,
  mergeEntities,
  splitEntity,
  undoEntityDecision,
} from './operations/entity-decisions.ts';
export { getEntityLinks } from './operations/entity-links.ts';
export { getEntityPath, PATH_ENTITIES_MAX } from './operations/entity-path.ts';
export { getGraphOverview } from './operations/graph-overview.ts';
export { EXPORT_MEDIA_TYPE, exportDocuments, exportGraph, exportThreads } from './operations/exports.ts';
export {
  ENTITY_SORTS,
  EXPLORE_NODES_DEFAULT,
  EXPLORE_NODES_MAX,
  exploreGraph,
  getContradiction,
  getEntity,
  getMemoryHealth,
  HEALTH_PARTS,
  HOPS_DEFAULT,
  HOPS_MAX,
  listContradictions,
  listEntities,
  reopenContradiction,
  resolveContradiction,
} from './operations/graph.ts';
export { listHealthHistory } from './operations/health-history.ts';
export { OPERATIONS } from './operations/index.ts';
export {
  createApiKey,
  getApiKey,
  listApiKeys,
  OVERLAP_MAX_SECONDS,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from './operations/keys.ts';
export {
  authorizeApp,
  disconnectApp,
  listConnectedApps,
  previewAuthorization,
  readResourceMetadata,
  registerAppClient,
} from './operations/connected-apps.ts';
export {
  createOAuthClient,
  getOAuthClient,
  issueOAuthToken,
  listOAuthClients,
  oauthMetadata,
  revokeOAuthClient,
  revokeOAuthToken,
} from './operations/oauth.ts';
export {
  createSessionTicket,
  endSession,
  listSessions,
  openSession,
  readSignIn,
  signOut,
  startAccountLink,
  startSignIn,
} from './operations/sessions.ts';
export {
  createInvitation,
  createMemberTicket,
  getMember,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
  updateMember,
} from './operations/members.ts';
export {
  continueListSearch,
  exportReport,
  getRunStatus,
  REFERENCE_MAX_BYTES,
  respondToResearch,
  startCompanySearch,
  startCrawler,
  startDeepSearch,
  startPeopleSearch,
  startResearch,
  startWebResearch,
  stopRun,
  uploadReference,
} from './operations/research.ts';
export { exportList, getSavedList, listRows, listSavedLists } from './operations/research-lists.ts';
export {
  LIST_STATUSES,
  LIST_TYPES,
  PROMPT_MAX_CHARS,
  RUN_EVENT_TYPES,
  SEARCH_MODES,
} from './operations/research-shared.ts';
export type { RunEventType } from './operations/research-shared.ts';
export { RUN_KINDS, RUN_STATUSES } from './run-states.ts';
export type { RunKind, RunStatus } from './run-states.ts';
export {
  connectRun,
  showLivePage,
  streamLivePage,
  streamResearch,
  streamResearchVersioned,
  streamSearchRun,
} from './operations/research-streams.ts';
export { callMcp } from './operations/mcp.ts';
export { QUERY_MAX_CHARS, searchMemory, streamSearch, TOP_K_MAX } from './operations/search.ts';
export {
  getSearch,
  getSearchLog,
  RETENTION_DAYS_DEFAULT,
  listSearches,
  rateSearch,
  updateSearchLog,
} from './operations/search-log.ts';
export type { SearchFilter } from './operations/search.ts';
export {
  deleteProviderKey,
  getProviderKey,
  listProviderKeys,
  PROVIDER_TEST_FAILURES,
  putProviderKey,
  testProviderKey,
} from './operations/providers.ts';
export type { ProviderTestFailure } from './operations/providers.ts';
export { listModels } from './operations/models.ts';
export { whoami } from './operations/account.ts';
export {
  createSpace,
  deleteSpace,
  deleteSpaceMember,
  getSpace,
  listSpaceMembers,
  userCursorOf,
  userOfCursor,
  listSpaces,
  putSpaceMember,
  SPACE_ROLES,
  updateSpace,
} from './operations/spaces.ts';
export {
  createMemory,
  createWorkspace,
  deleteMemory,
  deleteWorkspace,
  getMemory,
  getWorkspace,
  listMemories,
  listWorkspaces,
  MEMORY_STATUSES,
  updateMemory,
  updateWorkspace,
} from './operations/tenancy.ts';
export {
  addTurn,
  createThread,
  deleteThread,
  getThread,
  listThreads,
  listTurns,
  TURN_CONTENT_MAX_CHARS,
  TURN_ROLES,
  updateThread,
} from './operations/threads.ts';
export {
  CHARGES,
  readCredits,
  readLimits,
  readLlmUsage,
  readRequests,
  USAGE_DIMENSIONS,
  USAGE_GROUPS,
} from './operations/usage.ts';
export type { ChargeName, UsageDimension, UsageGroup } from './operations/usage.ts';
export {
  ATTEMPT_OUTCOMES,
  createWebhook,
  DELIVERIES_DEFAULT_LIMIT,
  DELIVERY_STATES,
  deleteWebhook,
  getDelivery,
  listAllDeliveries,
  getWebhook,
  INACTIVE_REASONS,
  listDeliveries,
  listWebhooks,
  replayDeadLetters,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  WEBHOOK_STATUSES,
  WEBHOOK_TEST_EVENT,
} from './operations/webhooks.ts';
export type { AttemptOutcome, DeliveryState, InactiveReason } from './operations/webhooks.ts';
export { EVENTS_RETENTION_DAYS, STREAM_POSITION_EVENT, streamEvents } from './operations/events.ts';
export { getWebhookStats, listWebhookEventTypes } from './operations/webhook-overview.ts';
export {
  APP_ACTIONS,
  APPS,
  CREDENTIAL_KINDS,
  KEY_PREFIXES,
  KEY_TYPES,
  SESSION_PREFIX,
  SESSION_TICKET_PREFIX,
  APP_CODE_PREFIX,
  APP_REFRESH_PREFIX,
  APP_SCOPES,
  INVITATION_PREFIX,
  SIGN_IN_PREFIX,
  MEMORY_KEY_DEFAULT_SCOPES,
  MEMORY_KEY_EXTRA_SCOPES,
  OAUTH_CLIENT_SECRET_PREFIX,
  SCOPES,
} from './permissions.ts';
export type { App, AppAction, CredentialKind, KeyType, Scope } from './permissions.ts';
export {
  getSource,
  listRunEvents,
  listRuns,
  listRunSources,
  RUNS_DEFAULT_LIMIT,
  SOURCES_DEFAULT_LIMIT,
} from './operations/research-runs.ts';
export { ROLE_SCOPES, ROLES } from './roles.ts';
export type { Role } from './roles.ts';
