import { describe, expect, it } from '@jest/globals';
import type { App, AppAction, Scope } from '@cairn/contracts';
import { missingPermission } from './identity.ts';

type Apps = Partial<Record<App, AppAction[]>>;
const needed = { app: 'keys', action: 'write', scope: 'keys:write' } as const;

describe('missingPermission', () => {
  it.each<[string, Scope[], Apps, string | null]>([
    ['the scope and unrestricted apps', ['keys:write'], {}, null],
    ['the scope among others', ['keys:read', 'keys:write', 'memory:search'], {}, null],
    ['the scope and the app’s action', ['keys:write'], { keys: ['write'] }, null],
    ['the scope and all actions of the app', ['keys:write'], { keys: ['read', 'write'] }, null],
    ['no scope at all', [], {}, 'scope keys:write'],
    ['only the reading scope', ['keys:read'], {}, 'scope keys:write'],
    ['the scope, yet only another app', ['keys:write'], { memory: ['write'] }, 'app permission keys:write'],
    ['the scope, yet only the app’s reading', ['keys:write'], { keys: ['read'] }, 'app permission keys:write'],
    ['the scope, yet the app without actions', ['keys:write'], { keys: [] }, 'app permission keys:write'],
    ['the app, yet not the scope', [], { keys: ['write'] }, 'scope keys:write'],
  ])('with %s', (_what, scopes, appPermissions, missing) => {
    expect(missingPermission({ scopes, appPermissions }, needed)).toBe(missing);
  });
});
