export { DEAD_LETTER_SUBJECT_ROOT, decodeEvent, encodeEvent, EVENT_SUBJECT_ROOT, EVENT_SUBJECTS } from './event.ts';
export type { EncodedEvent, EventKind, EventScope } from './event.ts';
export type { Event } from './gen/cairn/events/v1/events_pb.ts';
export { EventSchema } from './gen/cairn/events/v1/events_pb.ts';
export { CredentialSchema, Denial, KeyKind, KeysOperatorService, KeysService } from './gen/cairn/keys/v1/keys_pb.ts';
export type { Credential, RateLimit, TenantRef } from './gen/cairn/keys/v1/keys_pb.ts';
export { TenancyOperatorService, TenancyService } from './gen/cairn/tenancy/v1/tenancy_pb.ts';
export type { Memory as MemoryMessage, Tenant as TenantMessage } from './gen/cairn/tenancy/v1/tenancy_pb.ts';
export { ID_PREFIXES, idPattern, newId } from './ids.ts';
export type { IdKind } from './ids.ts';
export { openApiDocument } from './openapi.ts';
export type { OpenApiInfo } from './openapi.ts';
export { DEFAULT_BODY_MAX_BYTES, defineOperation } from './operation.ts';
export type {
  AnswerOf,
  EventData,
  JsonOperation,
  Method,
  Operation,
  RequestOf,
  ServiceName,
  StreamOperation,
} from './operation.ts';
export {
  deleteDocument,
  DOCUMENT_STATUSES,
  getDocument,
  INGEST_BATCH_MAX,
  INGEST_BODY_MAX_BYTES,
  ingestDocuments,
  listDocuments,
} from './operations/documents.ts';
export { OPERATIONS } from './operations/index.ts';
export { createApiKey, getApiKey, listApiKeys } from './operations/keys.ts';
export { QUERY_MAX_CHARS, searchMemory, streamSearch, TOP_K_MAX } from './operations/search.ts';
export type { SearchFilter } from './operations/search.ts';
export {
  createMemory,
  createWorkspace,
  DLP_POLICIES,
  getMemory,
  getWorkspace,
  listMemories,
  listWorkspaces,
  MEMORY_STATUSES,
} from './operations/tenancy.ts';
export {
  APP_ACTIONS,
  APPS,
  CREDENTIAL_KINDS,
  KEY_PREFIXES,
  MEMORY_KEY_DEFAULT_SCOPES,
  MEMORY_KEY_EXTRA_SCOPES,
  SCOPES,
} from './permissions.ts';
export type { App, AppAction, CredentialKind, Scope } from './permissions.ts';
