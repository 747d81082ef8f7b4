import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEachRemoval } from '@cairn/testing';

/** What a secret is called in an answer; each is shown once and kept nowhere. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'api_key',
  'test_api_key',
  'client_secret',
  'access_token',
  'secret',
  'ticket',
  'invitation',
  'attempt',
]);
/** Where the first start leaves its keys for the person who started it. */
const MEANT_TO_HOLD_ONE = /\/credentials\.json$/;
const minted = new Set<string>();

/** Notes every secret of an answer, so that the end of the spec can look for it. */
export function recordSecrets(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    const ticket = typeof value === 'string' ? /[?&]ticket=([^&]+)/.exec(value)?.[1] : undefined;
    if (ticket !== undefined) minted.add(ticket);
    else if (typeof value === 'string' && SECRET_FIELDS.has(name)) minted.add(value);
    else recordSecrets(value);
  }
}

/** One that was given to the installation instead of made by it. */
export function recordSecret(secret: string): void {
  minted.add(secret);
}

export function secretsMinted(): ReadonlySet<string> {
  return minted;
}

/** A secret without its prefix, which is shown in lists, and the spellings under which it could lie somewhere. */
function spellingsOf(secret: string): string[] {
  const body = secret.slice(12);
  return [body, Buffer.from(body).toString('hex'), Buffer.from(secret).toString('base64').slice(16, -4)];
}

/**
 * Where a minted secret lies in plain, below the folder or in what was printed: database files with their write-ahead
 * log and dead tuples, streams of the broker, logs. One pass over each file for all secrets.
 */
export async function secretLocations(installation: { dataDir: string; output: string }): Promise<string[]> {
  const wanted = new Map([...minted].flatMap((secret) => spellingsOf(secret).map((spelling) => [spelling, secret])));
  const first = new Set([...wanted.keys()].map((spelling) => spelling.slice(0, PROBE_CHARS)));
  const found: string[] = [];
  const look = (place: string, text: string) => {
    for (const run of text.match(RUNS) ?? []) {
      for (let at = 0; at + PROBE_CHARS <= run.length; at += 1) {
        const probe = run.slice(at, at + PROBE_CHARS);
        if (!first.has(probe)) continue;
        for (const [spelling, secret] of wanted)
          if (run.startsWith(spelling, at)) found.push(`${secret.slice(0, 12)}… in ${place}`);
      }
    }
  };
  look('what was printed', installation.output);
  for (const entry of await readdir(installation.dataDir, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || MEANT_TO_HOLD_ONE.test(path)) continue;
    look(
      path.slice(installation.dataDir.length),
      (await readFile(path).catch(() => Buffer.alloc(0))).toString('latin1'),
    );
  }
  return found;
}

const PROBE_CHARS = 16;
const RUNS = /[0-9A-Za-z+/=_-]{16,}/g;

beforeEachRemoval(async (installation) => {
  const found = await secretLocations(installation);
  if (found.length > 0) throw new Error(`secrets in plain: ${found.join(', ')}`);
});
