import type { App, AppAction } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { KeyRow } from './key-store.ts';
import { isWithin } from './narrowing.ts';

/** What a key is good for. */
export type Powers = Pick<
  KeyRow,
  'scopes' | 'app_permissions' | 'ip_allowlist' | 'expires_at' | 'requests_per_second' | 'burst'
>;

/**
 * Lets a caller give what it holds itself, and leave what was there: throws `permission_denied` that names all of
 * `wanted` which is neither in `caller` nor in `current` (null: nothing was there).
 */
export function assertMayGive(caller: Powers, wanted: Powers, current: Powers | null): void {
  const missing = [
    ...missingScopes(caller, wanted, current),
    ...missingApps(caller, wanted, current),
    ...missingAddresses(caller, wanted, current),
    ...missingLifetime(caller, wanted, current),
    ...missingRate(caller, wanted, current),
  ];
  if (missing.length > 0) throw new CairnError('permission_denied', `The calling key lacks ${missing.join(', ')}.`);
}

function missingScopes(caller: Powers, wanted: Powers, current: Powers | null): string[] {
  return wanted.scopes
    .filter((scope) => !caller.scopes.includes(scope) && current?.scopes.includes(scope) !== true)
    .map((scope) => `scope ${scope}`);
}

function missingApps(caller: Powers, wanted: Powers, current: Powers | null): string[] {
  const holders = [caller, ...(current === null ? [] : [current])];
  if (holders.some(({ app_permissions }) => Object.keys(app_permissions).length === 0)) return [];
  // No permission at all is every permission, those of apps to come among them.
  const entries = Object.entries(wanted.app_permissions) as [App, AppAction[]][];
  if (entries.length === 0) return ['unrestricted app permissions'];
  return entries.flatMap(([app, actions]) =>
    actions
      .filter((action) => !holders.some(({ app_permissions }) => app_permissions[app]?.includes(action) === true))
      .map((action) => `app permission ${app}:${action}`),
  );
}

function missingAddresses(caller: Powers, wanted: Powers, current: Powers | null): string[] {
  const holders = [caller, ...(current === null ? [] : [current])];
  if (holders.some(({ ip_allowlist }) => ip_allowlist.length === 0)) return [];
  if (wanted.ip_allowlist.length === 0) return ['use from any address'];
  return wanted.ip_allowlist
    .filter((range) => !holders.some(({ ip_allowlist }) => ip_allowlist.some((outer) => isWithin(outer, range))))
    .map((range) => `use from ${range}`);
}

function missingLifetime(caller: Powers, wanted: Powers, current: Powers | null): string[] {
  const end = (powers: Powers) => powers.expires_at?.getTime() ?? Infinity;
  const longest = Math.max(end(caller), current === null ? -Infinity : end(current));
  if (end(wanted) <= longest) return [];
  return [`a lifetime beyond ${new Date(longest).toISOString()}`];
}

function missingRate(caller: Powers, wanted: Powers, current: Powers | null): string[] {
  return (['requests_per_second', 'burst'] as const).flatMap((name) => {
    const most = Math.max(caller[name] ?? Infinity, current === null ? -Infinity : (current[name] ?? Infinity));
    return (wanted[name] ?? Infinity) <= most ? [] : [`rate_limit.${name} above ${most}`];
  });
}
