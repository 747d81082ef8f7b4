import type { Role } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { type KeyRow, listKeyRows } from './key-store.ts';
import { lockCount } from './plan-limits.ts';

/** What is known of a person beside its row of api_keys, which has name, scopes and end. */
interface MemberRow {
  tenant_id: string;
  member_id: string;
  email: string;
  role: Role;
  invited_by: string;
  issuer: string | null;
  subject: string | null;
  created_at: Date;
  last_signed_in_at: Date | null;
  removed_at: Date | null;
}

export interface Member {
  member: MemberRow;
  key: KeyRow;
}

/** An account at the identity provider. */
export interface Account {
  issuer: string;
  subject: string;
}

const MEMBER_COLUMNS = `tenant_id, member_id, email, role, invited_by, issuer, subject, created_at, last_signed_in_at,
  removed_at`;

type NewMemberRow = Pick<MemberRow, 'tenant_id' | 'member_id' | 'email' | 'role' | 'invited_by'> & {
  account: Account | null;
};

export async function insertMember(tx: Tx, row: NewMemberRow): Promise<void> {
  await tx.execute(
    `INSERT INTO members (tenant_id, member_id, email, role, invited_by, issuer, subject)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      row.tenant_id,
      row.member_id,
      row.email,
      row.role,
      row.invited_by,
      row.account?.issuer ?? null,
      row.account?.subject ?? null,
    ],
  );
}

export async function findMember(tx: Tx, memberId: string): Promise<Member | null> {
  return (await findMembers(tx, 'member_id = $1', [memberId]))[0] ?? null;
}

/** The member of the tenant who has this e-mail address and was not removed. */
export async function findMemberByEmail(tx: Tx, tenantId: string, email: string): Promise<Member | null> {
  return (await findMembers(tx, 'tenant_id = $1 AND email = $2 AND removed_at IS NULL', [tenantId, email]))[0] ?? null;
}

/** Members in the order in which they joined, after `afterMemberId`. */
export async function listMemberRows(tx: Tx, page: { afterMemberId: string; limit: number | null }): Promise<Member[]> {
  return findMembers(tx, 'member_id > $1 ORDER BY member_id LIMIT $2', [page.afterMemberId, page.limit]);
}

/** Over all tenants the members that have this account, the one who signed in last first. Needs the worker role. */
export async function findMembersByAccount(tx: Tx, { issuer, subject }: Account): Promise<Member[]> {
  return findMembers(
    tx,
    `issuer = $1 AND subject = $2 AND removed_at IS NULL
      ORDER BY last_signed_in_at DESC NULLS LAST, member_id`,
    [issuer, subject],
  );
}

/** Over all tenants the members who have this e-mail address and no account yet. Needs the worker role. */
export async function findUnlinkedMembers(tx: Tx, email: string): Promise<Member[]> {
  return findMembers(tx, 'email = $1 AND issuer IS NULL AND removed_at IS NULL ORDER BY member_id', [email]);
}

async function findMembers(tx: Tx, where: string, values: readonly unknown[]): Promise<Member[]> {
  const members = await tx.query<MemberRow>(`SELECT ${MEMBER_COLUMNS} FROM members WHERE ${where}`, [...values]);
  const keys = await listKeyRows(
    tx,
    members.map((member) => member.member_id),
  );
  return members.flatMap((member) => {
    const key = keys.get(member.member_id);
    return key === undefined ? [] : [{ member, key }];
  });
}

export async function linkAccount(tx: Tx, memberId: string, account: Account): Promise<void> {
  await tx.execute('UPDATE members SET issuer = $2, subject = $3 WHERE member_id = $1', [
    memberId,
    account.issuer,
    account.subject,
  ]);
}

export async function updateLastSignIn(tx: Tx, memberId: string, at: Date): Promise<void> {
  await tx.execute('UPDATE members SET last_signed_in_at = $2 WHERE member_id = $1', [memberId, at]);
}

export async function writeRole(tx: Tx, memberId: string, role: Role): Promise<void> {
  await tx.execute('UPDATE members SET role = $2 WHERE member_id = $1', [memberId, role]);
}

/** As long as the audit log names them. */
const REMOVED_RETENTION_DAYS = 400;

/** Forgets who members were that were removed long ago. What they changed stays recorded under their ids. */
export async function eraseRemovedMembers(tx: Tx): Promise<void> {
  await tx.execute(
    `WITH forgotten AS (
       UPDATE members SET email = '', issuer = NULL, subject = NULL
        WHERE removed_at < now() - make_interval(days => $1) AND email <> '' RETURNING member_id)
     UPDATE api_keys SET name = '' WHERE key_id IN (SELECT member_id FROM forgotten)`,
    [REMOVED_RETENTION_DAYS],
  );
}

/** Members of the tenant who were not removed and are not being removed. */
export async function countMembers(tx: Tx, tenantId: string): Promise<number> {
  await lockCount(tx, 'members', tenantId);
  return countWhere(tx, tenantId, 'true');
}

/** Those of the ids that are owners and neither removed nor being removed. */
export async function ownersAmong(
  tx: Tx,
  ids: readonly string[],
): Promise<Pick<MemberRow, 'tenant_id' | 'member_id'>[]> {
  return tx.query(
    `SELECT members.tenant_id, member_id FROM members JOIN api_keys ON key_id = member_id
      WHERE member_id = ANY($1) AND role = 'owner' AND revoked_at IS NULL AND closing_since IS NULL`,
    [ids],
  );
}

/** Owners of the tenant who are none of these. The caller decides alone until the transaction ends. */
export async function countOtherOwners(tx: Tx, tenantId: string, ids: readonly string[]): Promise<number> {
  await lockCount(tx, 'owners', tenantId);
  return countWhere(tx, tenantId, "role = 'owner' AND member_id <> ALL($2)", [ids]);
}

async function countWhere(tx: Tx, tenantId: string, where: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM members JOIN api_keys ON key_id = member_id
      WHERE members.tenant_id = $1 AND revoked_at IS NULL AND closing_since IS NULL AND (${where})`,
    [tenantId, ...values],
  );
  return row!.count;
}
