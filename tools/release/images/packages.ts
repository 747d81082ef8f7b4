import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import type { BundleAssets } from '../bundles/source-paths.ts';

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
}

const LICENCE_FILE = /^(licen[cs]e|notice|copying)/i;

/** Writes which packages are in the bundle and under which licence, with the texts that the licences require to be passed on. */
export async function writeLicences(
  root: string,
  folder: string,
  metafile: Metafile,
  beside: BundleAssets['packages'],
): Promise<void> {
  const folders = new Set([...beside.keys()].map((name) => `node_modules/${name}`));
  for (const input of Object.keys(metafile.inputs)) {
    const found = packageFolder(input);
    if (found !== null) folders.add(found);
  }
  const entries: string[] = [];
  for (const path of [...folders].sort()) {
    const { name, version, license } = await readManifest(join(root, path));
    const kind = typeof license === 'object' ? license.type : (license ?? 'see below');
    entries.push(`${'='.repeat(80)}\n${name} ${version}: ${kind}\n${await licenceText(join(root, path))}`);
  }
  await writeFile(join(folder, 'LICENSES.txt'), `${entries.join('\n')}\n`);
}

/** Adds what the bundler does not see to the bill of materials: packages beside the bundle, and Node itself. */
export async function completeBillOfMaterials(
  root: string,
  folder: string,
  beside: BundleAssets['packages'],
): Promise<void> {
  const file = join(folder, 'sbom.cdx.json');
  const bill = JSON.parse(await readFile(file, 'utf8')) as { components: object[] };
  for (const path of beside.keys()) {
    const { name, version, license } = await readManifest(join(root, 'node_modules', path));
    const licenses = typeof license === 'string' ? [{ expression: license }] : [];
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    bill.components.push({ type: 'library', name, version, 'bom-ref': purl, purl, licenses });
  }
  const { node } = process.versions;
  const purl = `pkg:generic/node@${node}`;
  bill.components.push({ type: 'platform', name: 'node', version: node, 'bom-ref': purl, purl });
  await writeFile(
    file,
    `${JSON.stringify(bill, null, 2)}
`,
  );
}

/** The folder of the package that a bundled file belongs to; null for files of the repository. */
function packageFolder(path: string): string | null {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}

async function licenceText(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => LICENCE_FILE.test(name) && !name.endsWith('.ts'));
  const files = await Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return files.map((text) => `\n${text.trim()}\n`).join('');
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}
