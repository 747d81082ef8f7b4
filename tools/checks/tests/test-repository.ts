import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const folders: string[] = [];

/** A repository of its own with these files, not committed: what a developer has just written counts. */
export function createTestRepository(files: Record<string, string>): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'cairn-planted-'));
  folders.push(root);
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export function removeTestRepositories(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
