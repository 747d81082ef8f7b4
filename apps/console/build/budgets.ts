import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface ManifestEntry {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}
type Manifest = Record<string, ManifestEntry>;

/** Gzipped bytes: what a page loads before it shows anything, and what a screen adds to that. */
const ENTRY_MAX_BYTES = 150_000;
const SCREEN_MAX_BYTES = 60_000;

/** What each part of the bundle weighs, and whether all are within their budgets. */
export async function budgetReport(folder: string): Promise<{ lines: string[]; ok: boolean }> {
  const manifest = JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((name) => manifest[name]!.isEntry === true);
  if (entry === undefined) return { lines: ['the build has no entry'], ok: false };
  const loaded = filesBehind(manifest, entry);
  const parts = [{ name: 'entry', files: [...loaded], most: ENTRY_MAX_BYTES }];
  for (const name of Object.keys(manifest).filter((each) => manifest[each]!.isDynamicEntry === true)) {
    const files = [...filesBehind(manifest, name)].filter((file) => !loaded.has(file));
    parts.push({ name, files, most: SCREEN_MAX_BYTES });
  }
  const sized = await Promise.all(
    parts.map(async (part) => ({ ...part, bytes: await gzippedBytes(folder, part.files) })),
  );
  const over = sized.filter(({ bytes, most }) => bytes > most);
  const largest = sized.slice(1).toSorted((left, right) => right.bytes - left.bytes)[0];
  return {
    lines: [
      ...over.map(({ name, bytes, most }) => `${name} is ${bytes} bytes gzipped; at most ${most}`),
      `entry ${inKilobytes(sized[0]!.bytes)}, largest of ${sized.length - 1} screens ${inKilobytes(largest?.bytes ?? 0)} (${largest?.name ?? 'none'})`,
    ],
    ok: over.length === 0,
  };
}

function filesBehind(manifest: Manifest, start: string): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const follow = (name: string): void => {
    const part = manifest[name];
    if (part === undefined || seen.has(name)) return;
    seen.add(name);
    for (const file of [part.file, ...(part.css ?? [])]) files.add(file);
    for (const next of part.imports ?? []) follow(next);
  };
  follow(start);
  return files;
}

async function gzippedBytes(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, `${file}.gz`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
