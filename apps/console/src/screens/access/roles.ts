import type { Member } from '@cairn/sdk';
import { useWhoami } from '../../app/who-am-i.ts';

export type Role = Member['role'];

const ROLES: readonly Role[] = ['viewer', 'reviewer', 'developer', 'admin', 'owner'];

/** The roles that this session may give; the API decides, this only leaves out what it would refuse. */
export function useGrantableRoles(): readonly Role[] {
  const { data: who } = useWhoami();
  const appoints = who?.credential.scopes.includes('owners:write') === true;
  return appoints ? ROLES : ROLES.filter((role) => role !== 'owner');
}
