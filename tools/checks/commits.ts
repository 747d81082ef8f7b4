import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

interface Commit {
  id: string;
  subject: string;
}

/** The rule holds for the commits after this one; history is not rewritten. */
const BASE = '88eb4e30f2ddac4f294896acddf09e2863c4b785';
const SUBJECT_MAX_CHARS = 72;
/** One scope or several, and what they do now. */
const FORM = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:, [a-z][a-z0-9]*(?:-[a-z0-9]+)*)*: \S/;
/** Git writes these subjects itself, with names of branches and subjects in full. */
const WRITTEN_BY_GIT =
  /^(?:Merge (?:branch|branches|remote-tracking branch|commit|tag|pull request) |(?:Revert|Reapply) ")/;

/** What is wrong with the subject of a commit; null when nothing is. */
export function subjectProblem(subject: string): string | null {
  if (WRITTEN_BY_GIT.test(subject)) return null;
  if (!FORM.test(subject)) return 'the subject does not read `scope: what it does now`';
  const chars = [...subject].length;
  return chars > SUBJECT_MAX_CHARS ? `the subject has ${chars} characters, more than ${SUBJECT_MAX_CHARS}` : null;
}

/**
 * The commits that HEAD has and the base does not. Null where the base is missing: in a shallow clone, or in an archive
 * without history.
 */
export function commitsAfter(base: string, root: string): Commit[] | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    git('cat-file', '-e', `${base}^{commit}`);
  } catch {
    return null;
  }
  const lines = git('log', '--format=%h %s', `${base}..HEAD`).split('\n').slice(0, -1);
  return lines.map((line) => {
    const end = line.indexOf(' ');
    return { id: line.slice(0, end), subject: line.slice(end + 1) };
  });
}

function main(): void {
  const commits = commitsAfter(BASE, join(import.meta.dirname, '..', '..'));
  if (commits === null) {
    process.stdout.write(
      `commits: nothing is checked, because this copy lacks the history since ${BASE.slice(0, 8)}\n`,
    );
    return;
  }
  const violations = commits.flatMap(({ id, subject }) => {
    const objection = subjectProblem(subject);
    return objection === null ? [] : [`${id}: ${objection}: ${subject}\n`];
  });
  process.stdout.write(
    `${violations.join('')}commits: ${violations.length} violations in ${commits.length} subjects\n`,
  );
  process.exitCode = violations.length === 0 ? 0 : 1;
}

if (import.meta.main) main();
