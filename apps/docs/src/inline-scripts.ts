import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
    for (const { attributes, text } of scriptsOf(html)) {
      if (/\bsrc=/.test(attributes) || DATA.test(attributes)) continue;
      hashes.add(`sha256-${createHash('sha256').update(text).digest('base64')}`);
    }
  }
  await writeFile(join(out, 'inline-scripts.json'), JSON.stringify([...hashes].toSorted()));
}

/** As a browser divides the page: a script ends with the first end tag behind it. */
function scriptsOf(html: string): { attributes: string; text: string }[] {
  return html
    .split('<script')
    .slice(1)
    .map((rest) => {
      const opened = rest.indexOf('>');
      return { attributes: rest.slice(0, opened), text: rest.slice(opened + 1, rest.indexOf('</script>')) };
    });
}
