import type { RequestOf, updateApiKey } from '@cairn/contracts';
import { CairnError, type FieldError, validationFailed } from '@cairn/errors';
import { assertChangeCovered } from '../credentials/coverage.ts';
import { stateOf } from '../credentials/credential-state.ts';
import type { ApiKeyRow, KeyRow } from '../credentials/key-store.ts';
import { rangeErrors, scopeErrors } from './plan-key.ts';

type ChangeRequest = RequestOf<typeof updateApiKey>['body'];

/**
 * The key as it will be after the request. Throws `conflict` for a revoked key, `validation_failed` for what no caller
 * could request, and `permission_denied` when the resulting key is covered neither by the caller nor by what it was.
 */
export function planChange(caller: KeyRow, key: ApiKeyRow, request: ChangeRequest, now: Date): ApiKeyRow {
  if (stateOf(key, now) === 'revoked') throw new CairnError('conflict', 'The key was revoked and cannot be changed.');
  const { rate_limit: rate, expires_at: expiry } = request;
  const resulting: ApiKeyRow = {
    ...key,
    name: request.name ?? key.name,
    scopes: request.scopes === undefined ? key.scopes : [...new Set(request.scopes)],
    app_permissions: request.app_permissions ?? key.app_permissions,
    ip_allowlist: request.ip_allowlist ?? key.ip_allowlist,
    expires_at: expiry === undefined ? key.expires_at : dateOf(expiry),
    requests_per_second: rate === undefined ? key.requests_per_second : (rate?.requests_per_second ?? null),
    burst: rate === undefined ? key.burst : (rate?.burst ?? null),
  };
  assertPossible(resulting, request, now);
  assertChangeCovered(caller, key, resulting);
  return resulting;
}

/** Reports everything in the request that no caller could have. */
function assertPossible({ kind, expires_at, expires_by }: ApiKeyRow, request: ChangeRequest, now: Date): void {
  const errors: FieldError[] = [...rangeErrors(request.ip_allowlist ?? []), ...scopeErrors(kind, request.scopes ?? [])];
  if (request.expires_at !== undefined) {
    if (expires_at !== null && expires_at <= now) errors.push({ path: 'expires_at', message: 'must be in the future' });
    if (expires_by !== null && (expires_at === null || expires_at > expires_by))
      errors.push({ path: 'expires_at', message: `may be at most ${expires_by.toISOString()}` });
  }
  if (errors.length > 0) throw validationFailed(errors);
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
