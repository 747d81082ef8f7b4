import type { SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';

interface RetiredPhrase {
  phrase: RegExp;
  say: string;
  /** Where it is retired; without it in sources and documents. */
  files?: RegExp;
}

const SOURCES_AND_DOCUMENTS = /\.(?:[cm]?[jt]s|md)$/;
const SOURCES = /\.[cm]?[jt]s$/;
/** Measurements and examples are not our prose, and the list itself has to name the phrases. */
const EXEMPT = /^(?:docs\/measurements|examples)\/|^tools\/checks\/tidy(?:\.spec|\/retired-phrases)\.ts$/;

/** Phrases of an earlier, private dialect, and what to write instead. ../words.ts reads the words of names. */
const RETIRED_PHRASES: readonly RetiredPhrase[] = [
  { phrase: /\.\.\.\{ /, say: 'one property per line; a spread of a literal only hides the length', files: SOURCES },
  { phrase: /\/\*\* (?:Gives|gives)\b|; gives\b/, say: 'returns' },
  { phrase: /\banew\b/, say: 'again, or a verb such as rebuild, recompute, reset' },
  { phrase: /\bmend(?:s|ed|ing)?\b/, say: 'fix, repair' },
  { phrase: /\bcalls? of (?:a|the) (?:language )?models?\b/, say: 'model call' },
  { phrase: /\bthat is none\b/, say: 'invalid, or what is wrong with it' },
  { phrase: /\bis there twice\b/, say: 'is duplicated' },
  { phrase: /\bis not known here\b/, say: 'is unknown' },
  { phrase: /\blies in the past\b/, say: 'must be in the future' },
  { phrase: /\bdid not arrive whole\b/, say: 'was truncated' },
  { phrase: /\bis no tunnel\b/, say: 'CONNECT is not supported' },
  { phrase: /\btold and (?:forgotten|dropped)\b/, say: 'logged and dropped' },
  { phrase: /\b(?:interface|type) \w+Parts\b/, say: '…Deps', files: SOURCES },
  { phrase: /\bparts: (?:\w+Deps\b|\{$)/, say: 'deps', files: SOURCES },
];

/** Folders and files in which no retired phrase may occur; null is the whole repository. */
export const WITHOUT_RETIRED_PHRASES: readonly string[] | null = null;

export function retiredPhrases(files: readonly SourceFile[], folders: readonly string[] | null): Violation[] {
  const read = files
    .filter(({ path }) => !EXEMPT.test(path))
    .filter(({ path }) => folders === null || folders.some((folder) => path.startsWith(folder)));
  return RETIRED_PHRASES.flatMap(({ phrase, say, files: where = SOURCES_AND_DOCUMENTS }) =>
    read.filter(({ path }) => where.test(path)).flatMap((file) => occurrences(file, phrase, say)),
  );
}

function occurrences({ path, text }: SourceFile, phrase: RegExp, say: string): Violation[] {
  return text.split('\n').flatMap((line, index) => {
    const match = phrase.exec(line);
    if (match === null) return [];
    return [{ file: path, line: index + 1, message: `“${match[0].trim()}” is retired; say: ${say}` }];
  });
}
