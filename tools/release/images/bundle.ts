import { join, resolve } from 'node:path';
import { bundleService, IMAGES } from './bundle-service.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** `node tools/release/images/bundle.ts [service] [folder]`: writes one bundle, or all below dist/bundles. */
async function main([service, folder]: string[]): Promise<void> {
  const names = service === undefined ? IMAGES : [service];
  for (const name of names) {
    const startedMs = performance.now();
    const bundle = await bundleService(ROOT, name, resolve(folder ?? join(ROOT, 'dist', 'bundles', name)));
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    process.stdout.write(`${name.padEnd(10)} ${(bundle.bytes / 1_048_576).toFixed(1).padStart(6)} MiB  ${seconds} s\n`);
  }
}

if (import.meta.main) await main(process.argv.slice(2));
