import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words by their forms. WordNet's exceptions; `tools/lab/train/memory/irregular-forms` says which, and writes them. */
const BASE_FORMS: ReadonlyMap<string, string> = new Map(
  readFileSync(join(import.meta.dirname, 'english-irregular-forms.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [base, ...forms] = line.split(' ') as [string, ...string[]];
      return forms.map((form): [string, string] => [form, base]);
    }),
);

/**
 * The word that a word in lower case is a form of, when no stemmer joins the two (`mouse` for `mice`, `go` for `went`);
 * else the word itself.
 */
export function englishBaseForm(word: string): string {
  return BASE_FORMS.get(word) ?? word;
}
