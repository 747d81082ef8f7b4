import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * English words by those of their forms that no stemmer joins with them (`mice`: `mouse`, `went`: `go`), in lower case:
 * WordNet's exceptions. `train/irregular-forms/write-irregular-forms.ts` says which and writes them.
 */
export const ENGLISH_BASE_FORMS: ReadonlyMap<string, string> = new Map(
  readFileSync(join(import.meta.dirname, 'english-irregular-forms.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [base, ...forms] = line.split(' ') as [string, ...string[]];
      return forms.map((form): [string, string] => [form, base]);
    }),
);
