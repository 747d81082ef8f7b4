/** Everything a credential can be allowed to do. */
export const SCOPES = [
  'keys:read',
  'keys:write',
  'oauth:read',
  'oauth:write',
  'workspaces:read',
  'workspaces:write',
  'memories:read',
  'memories:write',
  'spaces:read',
  'spaces:write',
  'threads:read',
  'threads:write',
  'documents:read',
  'documents:write',
  'graph:read',
  'graph:write',
  'webhooks:read',
  'webhooks:write',
  'providers:read',
  'providers:write',
  'memory:search',
  'usage:read',
  'search:run',
  'lists:read',
  'members:read',
  'members:write',
  'owners:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a memory key holds by default. */
export const MEMORY_KEY_DEFAULT_SCOPES: readonly Scope[] = [
  'memory:search',
  'graph:read',
  'documents:read',
  'threads:read',
  'threads:write',
  'spaces:read',
];
/** What a memory key may be given besides. */
export const MEMORY_KEY_EXTRA_SCOPES: readonly Scope[] = ['documents:write', 'graph:write'];

/** The apps of `app_permissions`; each is a part of the API. */
export const APPS = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
export type App = (typeof APPS)[number];

export const APP_ACTIONS = ['read', 'write'] as const;
export type AppAction = (typeof APP_ACTIONS)[number];

/** Types of keys. */
export const KEY_TYPES = ['live', 'test', 'ephemeral', 'memory'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Kinds of credentials: keys by their type, members, and tokens of OAuth clients. */
export const CREDENTIAL_KINDS = [...KEY_TYPES, 'member', 'oauth'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** The prefix of each kind's plaintext. A member has none: only sessions stand for it. */
export const KEY_PREFIXES: Readonly<Record<Exclude<CredentialKind, 'member'>, string>> = {
  live: 'ck_live_',
  test: 'ck_test_',
  ephemeral: 'ck_eph_',
  memory: 'mk_',
  oauth: 'ot_',
};

/** A session of the console, in a cookie: it stands for the key that it was opened with. */
export const SESSION_PREFIX = 'cs_';

/** A ticket that opens one session has the form of a key, but is none. */
export const SESSION_TICKET_PREFIX = 'cst_';

/** The secret of an invitation has the form of a key, but is none. */
export const INVITATION_PREFIX = 'cin_';

/** What a browser keeps while its person signs in at the identity provider has the form of a key, but is none. */
export const SIGN_IN_PREFIX = 'csi_';

/** The secret of an OAuth client has the form of a key, but is none. */
export const OAUTH_CLIENT_SECRET_PREFIX = 'ocs_';
