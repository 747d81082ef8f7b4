import { parseArgs } from 'node:util';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compressFolder } from '@cairn/pages/compress';
import { build } from 'vite';
import { budgetReport } from './budgets.ts';
import { viteConfig } from './vite-config.ts';

/** Builds the console into `dist`, or the folder given with --out, and fails when a part is larger than its budget. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const root = resolve(import.meta.dirname, '..');
  const out = resolve(values.out ?? `${root}/dist`);
  await build(viteConfig(root, out));
  await compressFolder(out);
  const { lines, ok } = await budgetReport(out);
  // Only the budgets read it; what stands in the folder is served.
  await rm(join(out, '.vite'), { recursive: true });
  process.stdout.write(`${lines.join('\n')}\n`);
  return ok ? 0 : 1;
}

process.exitCode = await main();
