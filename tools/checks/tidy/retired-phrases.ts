import type { SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';

interface RetiredWord {
  word: RegExp;
  say: string;
  /** Where the word is retired; without it in sources and documents. */
  files?: RegExp;
}

const SOURCES_AND_DOCUMENTS = /\.(?:[cm]?[jt]s|md)$/;
const SOURCES = /\.[cm]?[jt]s$/;
/** Measurements and examples are not our prose, and the list itself has to name the words. */
const EXEMPT = /^(?:docs\/measurements|examples)\/|^tools\/checks\/tidy(?:\.spec|\/retired-phrases)\.ts$/;

/** Words of an earlier, private dialect, and what the field says instead. docs/glossary.md has the terms. */
const RETIRED_WORDS: readonly RetiredWord[] = [
  // Style
  { word: /\.\.\.\{ /, say: 'one property per line; a spread of a literal only hides the length', files: SOURCES },
  { word: /\/\*\* (?:Gives|gives)\b|; gives\b/, say: 'returns' },
  { word: /\banew\b/, say: 'again, or a verb such as rebuild, recompute, reset' },
  { word: /\bmend(?:s|ed|ing)?\b/, say: 'fix, repair' },
  { word: /\bcalls? of (?:a|the) (?:language )?models?\b/, say: 'model call' },
  { word: /\bthat is none\b/, say: 'invalid, or what is wrong with it' },
  { word: /\bis there twice\b/, say: 'is duplicated' },
  { word: /\bis not known here\b/, say: 'is unknown' },
  { word: /\blies in the past\b/, say: 'must be in the future' },
  { word: /\bdid not arrive whole\b/, say: 'was truncated' },
  { word: /\bis no tunnel\b/, say: 'CONNECT is not supported' },
  { word: /\btold and (?:forgotten|dropped)\b/, say: 'logged and dropped' },
  // Handlers and wiring
  {
    word: /\b(?:answerAnyone|speakMcp|AnswerOf|JsonAnswer|FileAnswer|StreamCall|OpenOperation)\b/,
    say: 'the names of libs/service-kit/src/http/bound-operation.ts',
  },
  { word: /\b(?:interface|type) \w+Parts\b/, say: '…Deps', files: SOURCES },
  { word: /\bparts: (?:\w+Deps\b|\{$)/, say: 'deps', files: SOURCES },
  // Credentials and revocation
  { word: /\bnarrowings?\b/i, say: 'invalidation' },
  { word: /\bKeyWish\b/, say: 'KeyRequest' },
  { word: /\bassertMayGive\b/, say: 'assertNoEscalation' },
  { word: /finish-?denials/i, say: 'resumeInterruptedRevocations' },
  // Gateway
  { word: /spending-?notes/i, say: 'usage journal' },
  { word: /\bRunningWork\b/, say: 'connection registry' },
  // Memory
  { word: /stored-?amount/i, say: 'storage usage' },
  { word: /\bstep-?marks?\b/i, say: 'progress' },
  { word: /write-?once/i, say: 'idempotent write' },
  { word: /plain-?view/i, say: 'normalized text' },
  { word: /visible-?part/i, say: 'search scope' },
  { word: /near-?chunks/i, say: 'vector search' },
  { word: /name-?likeness/i, say: 'name similarity' },
  { word: /graph-?standing/i, say: 'graph metrics' },
  { word: /public-?words/i, say: 'public error message' },
  // Research and runs
  { word: /\b(?:RunLost|RunParked)\b/, say: 'LeaseLost, RunSuspended' },
  { word: /\bBreathe\b|\bbreathing\b/, say: 'yieldToEventLoop' },
  { word: /\bhost-?turns?\b/i, say: 'host rate limiter' },
  { word: /same-?subject/i, say: 'entity resolution' },
  { word: /write-?up/i, say: 'report' },
  // Usage, tenancy, webhooks
  { word: /know-?tenant/i, say: 'ensureTenant' },
  { word: /\b(?:addUp|add-up)\b/, say: 'aggregate' },
  { word: /\b(?:share|hold)Writing\b/, say: 'shared or exclusive write lock' },
  { word: /\bprice book\b/i, say: 'price list' },
  { word: /take-?in-?events/i, say: 'consumeEvents' },
  { word: /\barrivedOf\b/, say: 'decodeEvent' },
  { word: /\b(?:chooseRooms|takeRooms|roomOf)\b/, say: 'slots, capacity' },
  { word: /\bmemoryMeant\b/, say: 'resolveMemory' },
  { word: /\btakeMemberOut\b/, say: 'deleteSpaceMember' },
  // Tests
  { word: /played-?services/i, say: 'fake services' },
  { word: /walked-?world/i, say: 'fixtures' },
  { word: /severable-?link/i, say: 'flaky proxy' },
  { word: /conforming-?api/i, say: 'conformance checks' },
];

/** Folders and files in which no retired word may occur; null is the whole repository. */
export const WITHOUT_RETIRED_WORDS: readonly string[] | null = null;

export function retiredWords(files: readonly SourceFile[], folders: readonly string[] | null): Violation[] {
  const read = files
    .filter(({ path }) => !EXEMPT.test(path))
    .filter(({ path }) => folders === null || folders.some((folder) => path.startsWith(folder)));
  return RETIRED_WORDS.flatMap(({ word, say, files: where = SOURCES_AND_DOCUMENTS }) =>
    read.filter(({ path }) => where.test(path)).flatMap((file) => occurrences(file, word, say)),
  );
}

function occurrences({ path, text }: SourceFile, word: RegExp, say: string): Violation[] {
  const inName = word.exec(path);
  const found = text.split('\n').flatMap((line, index) => {
    const match = word.exec(line);
    return match === null ? [] : [{ file: path, line: index + 1, message: messageOf(match[0], say) }];
  });
  return inName === null ? found : [{ file: path, line: 1, message: messageOf(inName[0], say) }, ...found];
}

function messageOf(word: string, say: string): string {
  return `“${word.trim()}” is retired; say: ${say}`;
}
