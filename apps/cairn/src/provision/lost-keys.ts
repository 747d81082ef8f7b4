import { basename, join } from 'node:path';
import { type KeyFiles, readJson } from '../data-folder.ts';
import { DATABASE_SERVICES } from '../up/engines.ts';
import type { StartedService } from '../up/service-variables.ts';
import { keyFilesOf } from './service-folder.ts';

interface Jwk {
  kid?: string;
  /** Of a symmetric key. */
  k?: string;
  /** Of a signing key. */
  x?: string;
}

/**
 * Throws when a service's folder holds a key that the operator's originals do not, before it would be overwritten: it
 * may be the last copy of what stored secrets or queued documents are encrypted with. Keys whose ids are in `dropped`
 * may go.
 */
export async function assertNoKeyIsLost(folder: string, keys: KeyFiles, dropped: readonly string[]): Promise<void> {
  const lost: string[] = [];
  const services: StartedService[] = [...DATABASE_SERVICES, 'gateway'];
  for (const service of services) {
    // Public keys are derived from the private ones.
    for (const { name, source } of keyFilesOf(service, keys).filter(({ source: file }) => file !== keys.jwksFile)) {
      const originals = new Set((await keysIn(source)).map(fingerprint));
      const ids = (await keysIn(join(folder, service, name)))
        .filter((key) => !originals.has(fingerprint(key)) && !dropped.includes(key.kid ?? ''))
        .map(({ kid }) => kid ?? 'without an id');
      if (ids.length > 0)
        lost.push(`${service}/${name} holds ${ids.join(', ')}, operator/keys/${basename(source)} does not`);
    }
  }
  if (lost.length === 0) return;
  throw new Error(
    [
      'These keys would be overwritten with others, and nothing would decrypt or verify what was made with them:',
      ...lost.map((line) => `  - ${line}`),
      'Restore operator/keys from its backup, or copy the files named first to those named last.',
      'To give keys up on purpose, name their ids with --drop-keys. Nothing was changed.',
    ].join('\n'),
  );
}

async function keysIn(file: string): Promise<Jwk[]> {
  const found = await readJson<Jwk & { keys?: Jwk[] }>(file);
  if (found === null) return [];
  return found.keys ?? [found];
}

/** Two keys of one id need not be the same. */
function fingerprint({ kid, k, x }: Jwk): string {
  return JSON.stringify([kid, k, x]);
}
