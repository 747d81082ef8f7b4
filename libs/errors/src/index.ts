export { CairnError, notFound, validationFailed } from './cairn-error.ts';
export type { FieldError } from './cairn-error.ts';
export { ERROR_CODES, isErrorCode } from './codes.ts';
export type { ErrorCode } from './codes.ts';
export { toOAuthError } from './oauth-error.ts';
export type { OAuthErrorBody } from './oauth-error.ts';
export { problemContentType, problemHeaders, toProblem } from './problem.ts';
export type { Problem } from './problem.ts';
