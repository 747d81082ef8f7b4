import { type SourceFile, violationsOf } from '../source-files.ts';
import type { Violation } from '../violation.ts';

const SCRIPT = /\.[cm]?[jt]s$/;
const CODE = /\.(?:[cm]?[jt]s|sql|proto|sh|ya?ml)$|^\.ci\/|Dockerfile/;
const PROSE_OF_OTHERS =
  /^(?:examples|docs\/measurements)\/|^package-lock\.json$|^tools\/checks\/patterns\/proved\.json$/;
const MAX_LINES = 400;

/** A comment that starts with a line drawn in characters, with or without a title in it. */
const LINE_DRAWN = String.raw`\s*[-=*#~_/─━═]{3,}`;

interface LineRule {
  message: string;
  files: RegExp;
  pattern: RegExp;
  except?: RegExp;
}

const LINE_RULES: LineRule[] = [
  {
    message: "name what is exported instead of 'export *'",
    files: SCRIPT,
    pattern: /^\s*export\s+(?:type\s+)?\*(?! from '\.\/gen\/)/,
  },
  {
    message: 'a marker for work left to do; do it, or write an issue',
    files: /./,
    except: PROSE_OF_OTHERS,
    // In two parts, because this file is read, too.
    pattern: new RegExp(`\\b(?:TO${'DO'}|FIX${'ME'}|XX${'X'}|HA${'CK'})\\b`),
  },
  {
    message: 'a banner comment; a file that needs chapters is two files',
    files: SCRIPT,
    pattern: new RegExp(String.raw`^\s*(?://|/?\*)${LINE_DRAWN}`),
  },
  {
    message: 'a banner comment; a file that needs chapters is two files',
    files: /\.sql$/,
    pattern: new RegExp(String.raw`^\s*(?:--)${LINE_DRAWN}`),
  },
  {
    message: 'a banner comment',
    files: /\.(?:sh|ya?ml)$|^\.ci\/|Dockerfile/,
    pattern: new RegExp(String.raw`^\s*(?:#)${LINE_DRAWN}`),
  },
  {
    message: 'a path that exists on one machine only',
    files: /./,
    pattern: /(?<![\w.~}:/-])\/(?:work|root|home\/[a-z_][\w.-]*)\//,
  },
  {
    message: 'a registry in the lock file; keep omit-lockfile-registry-resolved',
    files: /^package-lock\.json$/,
    pattern: /"resolved": *"\w+:\/\//,
  },
  {
    message: 'telemetry of a dependency in the lock file; keep the override of @scarf/scarf',
    files: /^package-lock\.json$/,
    pattern: /"node_modules\/(?:[^"]*\/)?@scarf\/scarf"/,
  },
];

/** Rules that one line alone can break. */
export function lineViolations(files: SourceFile[]): Violation[] {
  return LINE_RULES.flatMap(({ message, files: which, pattern, except }) =>
    files
      .filter(({ path }) => which.test(path) && except?.test(path) !== true)
      .flatMap((file) => violationsOf(file, pattern, message)),
  );
}

/** The same bound as oxlint's max-lines, for the languages that oxlint does not read. */
export function longFiles(files: SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => CODE.test(path) && !SCRIPT.test(path))
    .map(({ path, text }) => ({ file: path, line: MAX_LINES + 1, lines: text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ lines, ...place }) => ({ ...place, message: `${lines} lines; at most ${MAX_LINES}` }));
}
