import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { COMMAND_PAGE, withCommandReference } from './command-reference.ts';

it('docs/command-line.md has the commands as they are declared; otherwise run npm run generate:docs', () => {
  const page = readFileSync(COMMAND_PAGE, 'utf8');
  expect(withCommandReference(page)).toBe(page);
});
