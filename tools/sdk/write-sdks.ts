import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SDK_GENERATED } from '../source-files.ts';
import { readApi } from './api-model.ts';
import { renderTypeScript } from './render-typescript.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Writes what the SDKs have of the operations, under `root`. */
export function writeSdks(root: string): void {
  const folder = join(root, SDK_GENERATED);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(renderTypeScript(readApi()))) writeFileSync(join(folder, name), text);
  execFileSync('oxfmt', ['-c', join(ROOT, '.oxfmtrc.json'), '.'], { cwd: folder, stdio: 'ignore' });
}

if (import.meta.main) writeSdks(ROOT);
