import { basename, dirname } from 'node:path/posix';
import { isGenerated } from '../source-files.ts';
import type { Violation } from '../violation.ts';

const NAMED_BY_US = /\.(?:[cm]?[jt]sx?|css|json|md)$/;
const KEBAB_CASE = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
const SHOUTED = /^[A-Z]+(?:_[A-Z]+)*\.md$/;
const MIGRATION = /^\d{4}_[a-z0-9_]+\.sql$/;
/** Names that say nothing, alone or at the end. */
const EMPTY_NAME = /(?:^|-)(?:utils?|helpers?|common|manager)$/;

/** File and folder names are kebab-case and say what is inside. */
export function nameViolations(paths: string[]): Violation[] {
  return paths
    .filter((path) => NAMED_BY_US.test(path) && !isGenerated(path))
    .flatMap((path) => {
      const folders = dirname(path) === '.' ? [] : dirname(path).split('/');
      const file = basename(path);
      const stems = [...folders, file.slice(0, file.indexOf('.', 1))];
      const messages: string[] = [];
      if (![...folders, ...(SHOUTED.test(file) ? [] : [file])].every((name) => KEBAB_CASE.test(name))) {
        messages.push('the name is not kebab-case');
      }
      if (stems.some((stem) => EMPTY_NAME.test(stem))) messages.push('the name does not say what is inside');
      return messages.map((message) => ({ file: path, line: 1, message }));
    });
}

/** Migrations are `NNNN_name.sql`, numbered without a gap and without a double, from 0 or 1. */
export function migrationViolations(paths: string[]): Violation[] {
  const migrations = paths.filter((path) => path.endsWith('.sql') && basename(dirname(path)) === 'migrations');
  return Object.values(Object.groupBy(migrations, (path) => dirname(path))).flatMap((folder = []) => {
    const sorted = folder.toSorted();
    const first = sorted[0] === undefined || basename(sorted[0]).startsWith('0000_') ? 0 : 1;
    return sorted.flatMap((file, index) => {
      const number = String(first + index).padStart(4, '0');
      if (basename(file).startsWith(`${number}_`) && MIGRATION.test(basename(file))) return [];
      return [{ file, line: 1, message: `this migration has to be called ${number}_….sql; numbers are consecutive` }];
    });
  });
}
