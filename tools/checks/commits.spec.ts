import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { commitsAfter, subjectProblem } from './commits.ts';
import { createTestRepository, removeTestRepositories } from './tests/test-repository.ts';

afterAll(removeTestRepositories);

const AUTHOR = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];

function git(root: string, ...args: string[]): string {
  return execFileSync('git', [...AUTHOR, ...args], { cwd: root, encoding: 'utf8' }).trim();
}

/** A repository with an empty commit for each subject, and the id of the first one. */
function repositoryWith(...subjects: string[]): { root: string; base: string } {
  const root = createTestRepository({});
  for (const subject of subjects) git(root, 'commit', '--quiet', '--allow-empty', '-m', subject);
  return { root, base: git(root, 'rev-list', '--max-parents=0', 'HEAD') };
}

describe('the check of commit subjects', () => {
  it.each([
    'keys: a revoked key is refused',
    'search-index, work-queue: both close in reverse',
    'oauth2: tokens expire',
    `docs: ${'x'.repeat(66)}`,
    `docs: ${'ü'.repeat(66)}`,
    `Merge branch '${'a-long-name-'.repeat(8)}'`,
    `Revert "An old subject ${'in many words '.repeat(6)}"`,
  ])('accepts %j', (subject) => {
    expect(subjectProblem(subject)).toBeNull();
  });

  it.each([
    'A revoked key is refused',
    'Keys: a revoked key is refused',
    'search index: segments are merged',
    'search_index: segments are merged',
    'keys,tenancy: both close',
    'keys:',
    'keys:a revoked key is refused',
    ': a revoked key is refused',
    'Merged the branch of keys',
  ])('refuses %j, which has no scope or says nothing', (subject) => {
    expect(subjectProblem(subject)).toBe('the subject does not read `scope: what it does now`');
  });

  it('refuses a subject of more than 72 characters', () => {
    expect(subjectProblem(`docs: ${'x'.repeat(67)}`)).toBe('the subject has 73 characters, more than 72');
  });

  it('reads every commit after the base, and neither the base nor what is older', () => {
    const { root } = repositoryWith('An old subject', 'The base', 'keys: one', 'keys: two words');
    const base = git(root, 'rev-parse', 'HEAD~2');
    expect(commitsAfter(base, root)?.map(({ subject }) => subject)).toEqual(['keys: two words', 'keys: one']);
    expect(commitsAfter(git(root, 'rev-parse', 'HEAD'), root)).toEqual([]);
  });

  it('checks nothing in a shallow clone that lacks the base', () => {
    const { root, base } = repositoryWith('The base', 'keys: one');
    const clone = join(createTestRepository({}), 'clone');
    git(root, 'clone', '--quiet', '--depth', '1', `file://${root}`, clone);
    expect(commitsAfter(base, clone)).toBeNull();
  });

  it('checks nothing in a folder without history', () => {
    const { root, base } = repositoryWith('The base', 'keys: one');
    rmSync(join(root, '.git'), { recursive: true });
    expect(commitsAfter(base, root)).toBeNull();
  });
});
