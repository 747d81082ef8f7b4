import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LINE_GENERATED, PYTHON_GENERATED, SDK_GENERATED } from './generated-folders.ts';
import { readApi } from './api-model.ts';
import { renderCommandLine } from './render-command-line.ts';
import { renderPython } from './render-python.ts';
import { renderTypeScript } from './render-typescript.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Writes what the SDKs and the command line have of the operations, under `root`. */
export function writeSdks(root: string): void {
  const api = readApi();
  const folder = join(root, SDK_GENERATED);
  writeFiles(folder, renderTypeScript(api));
  writeFiles(join(root, PYTHON_GENERATED), renderPython(api));
  writeFiles(join(root, COMMAND_LINE_GENERATED), renderCommandLine(api));
  execFileSync('oxfmt', ['-c', join(ROOT, '.oxfmtrc.json'), '.'], { cwd: folder, stdio: 'ignore' });
}

function writeFiles(folder: string, files: Record<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

if (import.meta.main) writeSdks(ROOT);
