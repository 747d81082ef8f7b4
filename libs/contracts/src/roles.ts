import { type Scope, SCOPES } from './permissions.ts';

/** What a member may be, the most powerful first. */
export const ROLES = ['owner', 'admin', 'developer', 'reviewer', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Reads what a memory knows, and asks it. */
const VIEWER: readonly Scope[] = [
  'workspaces:read',
  'memories:read',
  'spaces:read',
  'documents:read',
  'graph:read',
  'memory:search',
  'threads:read',
  'threads:write',
  'lists:read',
];

/** Also decides what the memory asks people: contradictions, names, the spaces of documents. */
const REVIEWER: readonly Scope[] = [...VIEWER, 'graph:write', 'documents:write', 'members:read'];

/** Also builds on it: keys, memories, webhooks and runs. */
const DEVELOPER: readonly Scope[] = [
  ...REVIEWER,
  'memories:write',
  'spaces:write',
  'keys:read',
  'keys:write',
  'oauth:read',
  'oauth:write',
  'webhooks:read',
  'webhooks:write',
  'providers:read',
  'usage:read',
  'search:run',
];

/**
 * The scopes of each role. Each role holds all scopes of the one below it, so that whoever holds a role's scopes may
 * grant it and every lower one. Members keep the scopes that their role had when they were given it: a scope that is
 * added to a role later reaches them by a migration.
 */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  admin: SCOPES.filter((scope) => scope !== 'owners:write'),
  developer: DEVELOPER,
  reviewer: REVIEWER,
  viewer: VIEWER,
};
