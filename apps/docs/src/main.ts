import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Builds the documentation into `dist`, or the folder given with --out. */
async function main(): Promise<void> {
  // Read when Astro is loaded; nothing is reported to anybody.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  process.env['NODE_ENV'] ??= 'production';
  const { buildSite } = await import('./build-site.ts');
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const root = resolve(import.meta.dirname, '..', '..', '..');
  const out = resolve(values.out ?? `${root}/apps/docs/dist`);
  const { pages } = await buildSite(root, out);
  process.stdout.write(`${pages} pages\n`);
}

await main();
