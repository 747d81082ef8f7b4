export { Cairn } from './cairn.ts';
export type { DocumentsToWaitFor, WaitOptions } from './core/documents.ts';
export type { CredentialOptions, KeySource, OAuthSource } from './core/credentials.ts';
export {
  AuthenticationError,
  CairnError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PlanLimitError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from './core/errors.ts';
export type { FieldError, ProblemDetails } from './core/errors.ts';
export type {
  Connection,
  EventStream,
  FileInput,
  FollowOptions,
  NumberedPages,
  Pages,
  RequestOptions,
  RunHandle,
} from './core/shapes.ts';
export type { ClientOptions } from './core/transport.ts';
export type * from './gen/resources.ts';
export type * from './gen/schemas.ts';
export type { DeliveredRequest, VerifyOptions, WebhookDelivery, WebhookHeaders } from './webhooks.ts';
