import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterBackup, CopiedFile } from '@cairn/embedded';
import { z } from 'zod';
import { readJson } from '../data-folder.ts';

/** Written last: a folder without it is no backup. */
export const MANIFEST_FILE = 'manifest.json';
export const MAIN_CLUSTER = 'main';
const FORMAT = 1;

const copiedFile = z.object({ path: z.string(), bytes: z.number(), sha256: z.string() });
const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** No cluster of the backup can be restored to an instant before it. */
  completed_at: z.iso.datetime(),
  /** Relative to `installation/`. */
  installation: z.array(copiedFile),
  clusters: z.array(
    z.object({
      /** `main`, or the id of the engine of a dedicated memory. */
      name: z.string().regex(/^\w+$/),
      stoppedAt: z.iso.datetime(),
      files: z.array(copiedFile),
      folders: z.array(z.string()),
    }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;

export function manifestOf(
  installation: CopiedFile[],
  clusters: readonly (ClusterBackup & { name: string })[],
): Manifest {
  return { format: FORMAT, completed_at: new Date().toISOString(), installation, clusters: [...clusters] };
}

export interface FoundBackup {
  folder: string;
  manifest: Manifest;
}

/** The backup in a folder, or the latest one below it that was complete by `until`. Throws when there is none. */
export async function findBackup(folder: string, until: Date | undefined): Promise<FoundBackup> {
  const own = await readManifest(folder);
  const names = own === null ? await readdir(folder, { withFileTypes: true }) : [];
  const below = await Promise.all(
    names
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => {
        const manifest = await readManifest(join(folder, name));
        return manifest === null ? [] : [{ folder: join(folder, name), manifest }];
      }),
  );
  const all = own === null ? below.flat() : [{ folder, manifest: own }];
  if (all.length === 0) throw new Error(`${folder} holds no complete backup (no ${MANIFEST_FILE}).`);
  const usable = all
    .filter(({ manifest }) => until === undefined || new Date(manifest.completed_at) <= until)
    .toSorted((a, b) => a.manifest.completed_at.localeCompare(b.manifest.completed_at));
  const latest = usable.at(-1);
  if (latest === undefined)
    throw new Error(
      `Every backup in ${folder} was completed after ${until!.toISOString()}; a restore can only go forward from one.`,
    );
  return latest;
}

async function readManifest(folder: string): Promise<Manifest | null> {
  const json = await readJson<unknown>(join(folder, MANIFEST_FILE));
  if (json === null) return null;
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success)
    throw new Error(`${join(folder, MANIFEST_FILE)} is not a manifest of this version: ${parsed.error.message}`);
  return parsed.data;
}
