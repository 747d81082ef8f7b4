import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifests.ts';

const HELM_FOLDER = 'deploy/helm';
export const CHART = `${HELM_FOLDER}/cairn`;
/** Release and namespace of the rendered manifests. */
export const RELEASE = 'cairn';

/** Names of the sets of values that the chart is rendered with: deploy/helm/rendered/<name>.values.yaml. */
export function valueSets(root: string): string[] {
  const suffix = '.values.yaml';
  return globSync(`*${suffix}`, { cwd: join(root, HELM_FOLDER, 'rendered') })
    .map((name) => name.slice(0, -suffix.length))
    .toSorted();
}

export function valuesFile(root: string, set: string): string {
  return join(root, HELM_FOLDER, 'rendered', `${set}.values.yaml`);
}

export function renderedFile(root: string, set: string): string {
  return join(root, HELM_FOLDER, 'rendered', `${set}.jsonl`);
}

/** What the rendered manifests depend on, as sha256 in hexadecimal. */
export function sourceDigest(root: string, set: string): string {
  const hash = createHash('sha256');
  const paths = globSync('**/*', { cwd: join(root, CHART), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const path of [...paths, valuesFile(root, set)]) {
    const content = readFileSync(path);
    hash.update(`${path.slice(root.length)} ${content.byteLength}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The digest and one object per line: short, and its differences show which objects a change touches. */
export function renderedText(root: string, set: string, manifests: readonly Manifest[]): string {
  return [{ renderedFrom: sourceDigest(root, set) }, ...manifests].map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** The committed manifests, and the digest of what they were rendered from. */
export function readRendered(root: string, set: string): { digest: string; manifests: Manifest[] } {
  const [first, ...lines] = readFileSync(renderedFile(root, set), 'utf8').trimEnd().split('\n');
  const { renderedFrom } = JSON.parse(first!) as { renderedFrom: string };
  return { digest: renderedFrom, manifests: lines.map((line) => JSON.parse(line) as Manifest) };
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
}
