import type { Tx } from '@cairn/postgres';

/** Deletes the reference files of the runs and their texts. The source rows remain as a record that there were files. */
export async function deleteUploads(tx: Tx, runIds: readonly string[]): Promise<void> {
  await tx.execute(`UPDATE sources SET body = '' WHERE run_id = ANY($1) AND kind = 'upload'`, [runIds]);
  await tx.execute('DELETE FROM uploads WHERE run_id = ANY($1)', [runIds]);
}

/** How many reference files a run has. */
export async function countUploads(tx: Tx, runId: string): Promise<number> {
  const [row] = await tx.query<{ files: number }>('SELECT count(*)::int AS files FROM uploads WHERE run_id = $1', [
    runId,
  ]);
  return row!.files;
}
