import { join } from 'node:path';
import { isGenerated, readSourceFiles, type SourceFile } from './source-files.ts';
import { report, type Violation } from './violation.ts';
import { type DeclaredName, exportedNames } from './words/exported-names.ts';
import { splitName } from './words/split-name.ts';
import { suggest } from './words/suggest.ts';
import { isKnown, isParticiple, readVocabulary, type Vocabulary } from './words/vocabulary.ts';

/** The contract changes only when a decision does. */
const NAMED_BY_US = /^(?:(?:apps|libs)\/[^/]+\/src\/|sdk\/src\/|tools\/|e2e\/(?!contract\/)).+\.(?:[cm]?[jt]s|tsx)$/;
/** `Measured`, and not `MEASURED` or `measured`. */
const TYPE = /^[A-Z][a-z]/;
/** `OnStatusChanged` is called when the status has changed. */
const CALLBACK = /^On[A-Z]/;
/** Users of the SDK import these. */
const PUBLISHED: ReadonlySet<string> = new Set(['Found']);

/**
 * Exported names and names of files are made of words of docs/glossary.md and of the lists in tools/checks/words, so
 * that everybody can read them and nobody has to know which words are not used. A type is named by a noun.
 */
export function wordViolations(root: string, vocabulary: Vocabulary = readVocabulary(root)): Violation[] {
  return readSourceFiles(root)
    .filter(({ path }) => NAMED_BY_US.test(path) && !isGenerated(path))
    .flatMap((file) => exportedNames(file).flatMap((declared) => violationsIn(file, declared, vocabulary)));
}

function violationsIn({ path }: SourceFile, { name, line }: DeclaredName, vocabulary: Vocabulary): Violation[] {
  const words = splitName(name);
  const violations = words
    .filter((word) => !isKnown(vocabulary, word))
    .map((word) => ({ file: path, line, message: unknownWord(word, name, vocabulary) }));
  const last = words.at(-1);
  if (last === undefined || !TYPE.test(name) || CALLBACK.test(name) || PUBLISHED.has(name)) return violations;
  if (!isParticiple(vocabulary, last)) return violations;
  const message = `${name} ends in “${last}”; a type is named by a noun, such as a result or an outcome`;
  return [...violations, { file: path, line, message }];
}

function unknownWord(word: string, name: string, vocabulary: Vocabulary): string {
  const nearest = suggest(vocabulary, word);
  const say = nearest === null ? 'use a term of docs/glossary.md' : `say: ${nearest}`;
  return `“${word}” in ${name} is no word of docs/glossary.md or tools/checks/words; ${say}`;
}

if (import.meta.main) {
  process.exitCode = report('words', wordViolations(join(import.meta.dirname, '..', '..')));
}
