import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SCRIPT = /<script(?<attributes>[^>]*)>(?<text>[^]*?)<\/script>/g;
/** Data that no browser runs. */
const DATA = /\btype="(?:application\/(?:ld\+)?json|speculationrules)"/;

/**
 * Writes the hash of every script that stands in a page, which is all that the gateway's policy lets run beside the
 * site's own files. The framework's own list of them is not complete.
 */
export async function writeInlineScripts(out: string): Promise<void> {
  const hashes = new Set<string>();
  for (const file of globSync('**/*.html', { cwd: out })) {
    const html = await readFile(join(out, file), 'utf8');
    for (const { groups } of html.matchAll(SCRIPT)) {
      const { attributes = '', text = '' } = groups ?? {};
      if (/\bsrc=/.test(attributes) || DATA.test(attributes)) continue;
      hashes.add(`sha256-${createHash('sha256').update(text).digest('base64')}`);
    }
  }
  await writeFile(join(out, 'inline-scripts.json'), JSON.stringify([...hashes].toSorted()));
}
