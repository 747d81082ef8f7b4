import { CairnError } from '@cairn/errors';
import { brokenConstraint, type Tx } from '@cairn/postgres';

export interface SpaceRow {
  tenant_id: string;
  space_id: string;
  memory_id: string;
  vault_id: string;
  name: string;
  slug: string;
  description: string;
  member_count: number;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface MemberRow {
  user_name: string;
  role: 'reader' | 'writer';
  created_at: Date;
  updated_at: Date;
}

/** The row as inserted; a slug that another space of the memory has is a `conflict`. */
export async function insertSpace(
  tx: Tx,
  row: Pick<SpaceRow, 'tenant_id' | 'space_id' | 'memory_id' | 'vault_id' | 'name' | 'slug' | 'description'>,
): Promise<SpaceRow> {
  return refuseTakenSlug(row.slug, async () => {
    const rows = await tx.query<SpaceRow>(
      `INSERT INTO spaces (tenant_id, space_id, memory_id, vault_id, name, slug, description)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *`,
      [row.tenant_id, row.space_id, row.memory_id, row.vault_id, row.name, row.slug, row.description],
    );
    return rows[0]!;
  });
}

export async function changeSpace(
  tx: Tx,
  spaceId: string,
  change: Pick<SpaceRow, 'name' | 'slug' | 'description'>,
): Promise<SpaceRow> {
  return refuseTakenSlug(change.slug, async () => {
    const rows = await tx.query<SpaceRow>(
      `UPDATE spaces SET name = $2, slug = $3, description = $4, updated_at = now() WHERE space_id = $1 RETURNING *`,
      [spaceId, change.name, change.slug, change.description],
    );
    return rows[0]!;
  });
}

async function refuseTakenSlug<T>(slug: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (brokenConstraint(error) === 'spaces_by_slug') throw new CairnError('conflict', `The slug ${slug} is taken.`);
    throw error;
  }
}

/** Slugs of the memory's spaces that begin so. */
export async function spaceSlugsLike(tx: Tx, memoryId: string, slug: string): Promise<Set<string>> {
  const rows = await tx.query<{ slug: string }>(
    'SELECT slug FROM spaces WHERE memory_id = $1 AND deleted_at IS NULL AND starts_with(slug, $2)',
    [memoryId, slug],
  );
  return new Set(rows.map((row) => row.slug));
}

/** Spaces that a plan counts: those that are there in memories that are there. */
export async function countSpaces(tx: Tx, tenantId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `SELECT count(*) AS count FROM spaces JOIN memories USING (tenant_id, memory_id)
      WHERE tenant_id = $1 AND deleted_at IS NULL AND memories.status <> 'deleting'`,
    [tenantId],
  );
  return rows[0]!.count;
}

/** What a caller may see: everything of its tenant, or what its key is bound to. */
interface SpaceView {
  memoryId: string | null;
  spaceId: string | null;
}

export async function listSpaceRows(
  tx: Tx,
  filter: SpaceView & { after: string; fetch: number | null },
): Promise<SpaceRow[]> {
  return tx.query<SpaceRow>(
    `SELECT spaces.* FROM spaces JOIN memories USING (tenant_id, memory_id)
      WHERE space_id > $1 AND ($2::text IS NULL OR memory_id = $2) AND ($3::text IS NULL OR space_id = $3)
        AND deleted_at IS NULL AND memories.status <> 'deleting'
      ORDER BY space_id LIMIT $4`,
    [filter.after, filter.memoryId, filter.spaceId, filter.fetch],
  );
}

export async function findSpace(tx: Tx, spaceId: string): Promise<SpaceRow | null> {
  const rows = await tx.query<SpaceRow>({
    name: 'space_by_id',
    text: `SELECT spaces.* FROM spaces JOIN memories USING (tenant_id, memory_id)
            WHERE space_id = $1 AND deleted_at IS NULL AND memories.status <> 'deleting'`,
    values: [spaceId],
  });
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockSpace(tx: Tx, spaceId: string): Promise<SpaceRow | null> {
  const rows = await tx.query<SpaceRow>('SELECT * FROM spaces WHERE space_id = $1 AND deleted_at IS NULL FOR UPDATE', [
    spaceId,
  ]);
  return rows[0] ?? null;
}

export async function markSpaceDeleted(tx: Tx, spaceId: string): Promise<void> {
  await tx.execute('UPDATE spaces SET deleted_at = now() WHERE space_id = $1', [spaceId]);
}

export async function listMemberRows(
  tx: Tx,
  spaceId: string,
  page: { after: string; fetch: number | null },
): Promise<MemberRow[]> {
  return tx.query<MemberRow>(
    'SELECT * FROM space_members WHERE space_id = $1 AND user_name > $2 ORDER BY user_name LIMIT $3',
    [spaceId, page.after, page.fetch],
  );
}

/** Adds the member or changes the role, and counts; the caller has locked the space's row. */
export async function putMember(
  tx: Tx,
  space: SpaceRow,
  member: { user: string; role: MemberRow['role'] },
): Promise<MemberRow> {
  const rows = await tx.query<MemberRow & { added: boolean }>(
    `INSERT INTO space_members (tenant_id, space_id, user_name, role) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, space_id, user_name) DO UPDATE SET role = excluded.role, updated_at = now()
     RETURNING *, xmax = 0 AS added`,
    [space.tenant_id, space.space_id, member.user, member.role],
  );
  const { added, ...row } = rows[0]!;
  if (added) await countMembers(tx, space.space_id, 1);
  return row;
}

/** False when there was no such member; the caller has locked the space's row. */
export async function deleteMember(tx: Tx, space: SpaceRow, user: string): Promise<boolean> {
  const deleted = await tx.execute(
    'DELETE FROM space_members WHERE tenant_id = $1 AND space_id = $2 AND user_name = $3',
    [space.tenant_id, space.space_id, user],
  );
  if (deleted > 0) await countMembers(tx, space.space_id, -1);
  return deleted > 0;
}

async function countMembers(tx: Tx, spaceId: string, change: number): Promise<void> {
  await tx.execute('UPDATE spaces SET member_count = member_count + $2 WHERE space_id = $1', [spaceId, change]);
}
