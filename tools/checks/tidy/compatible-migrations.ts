import { basename, dirname } from 'node:path/posix';
import type { Violation } from '../violation.ts';

/** From before the rule; what was applied is never edited. */
const BEFORE_THE_RULE = [
  'apps/tenancy/src/migrations/0002_spaces_and_engines.sql',
  'apps/webhooks/src/migrations/0002_several_vaults.sql',
];
/** What the previous release, which goes on serving during an upgrade, cannot live with. */
const BREAKING: readonly [RegExp, string][] = [
  [/\bDROP TABLE\b/i, 'drops a table'],
  [/\bDROP COLUMN\b/i, 'drops a column'],
  [/\bRENAME (?:COLUMN |CONSTRAINT )?(?:\w{1,63} )?TO\b/i, 'renames something'],
  [/\bALTER (?:COLUMN )?\w{1,63} (?:SET DATA )?TYPE\b/i, 'changes the type of a column'],
  [/\bSET NOT NULL\b/i, 'requires a value that the previous release may not write'],
];
const ADDED_COLUMN = /\bADD COLUMN\b/i;
const NOT_NULL = /\bNOT NULL\b/i;
const DEFAULTED = /\b(?:DEFAULT|GENERATED)\b/i;
/** Says since which release nothing reads or writes it any more. */
const CONTRACTED = /^-- contract: .{20}/m;

/**
 * Migrations expand; they contract only what no release in service uses any more, and then a line that begins with
 * `-- contract:` says why it is safe.
 */
export function incompatibleMigrations(files: readonly { path: string; text: string }[]): Violation[] {
  return files
    .filter(({ path }) => path.endsWith('.sql') && basename(dirname(path)) === 'migrations')
    .filter(({ path, text }) => !BEFORE_THE_RULE.includes(path) && !CONTRACTED.test(text))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const sql = line.replace(/--.*/, '');
        return breaksIn(sql).map((what) => ({
          file: path,
          line: index + 1,
          message: `${what}, while the previous release still serves: expand now and contract in a later release (CONTRIBUTING.md, Add a migration)`,
        }));
      }),
    );
}

function breaksIn(sql: string): string[] {
  const found = BREAKING.filter(([pattern]) => pattern.test(sql)).map(([, what]) => what);
  if (ADDED_COLUMN.test(sql) && NOT_NULL.test(sql) && !DEFAULTED.test(sql))
    found.push('adds a required column without a default');
  return found;
}
