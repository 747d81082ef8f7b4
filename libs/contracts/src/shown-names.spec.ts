import { describe, expect, it } from '@jest/globals';
import { createApiKey, createMemory, createSpace, createThread, createWebhook, createWorkspace } from './index.ts';
import { displayable } from './shown-text.ts';

const MARKS = ['\u202a', '\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c', '\u0007', '\u0085'];
const FIELDS = [
  ['name', createApiKey],
  ['name', createWorkspace],
  ['description', createWorkspace],
  ['display_name', createMemory],
  ['name', createSpace],
  ['description', createSpace],
  ['title', createThread],
  ['description', createWebhook],
] as const;

describe('a name that people are shown', () => {
  it.each(FIELDS)('is refused as %s when it holds controls or marks that change its direction', (field, operation) => {
    for (const mark of MARKS) {
      const issues = operation.body!.safeParse({ [field]: `safe${mark}exe.gnp` }).error?.issues ?? [];
      expect(issues.filter(({ path }) => path[0] === field)).toHaveLength(1);
    }
    const plain = operation.body!.safeParse({ [field]: 'Übergabe – שלום 日本 👩‍🚀' }).error?.issues ?? [];
    expect(plain.filter(({ path }) => path[0] === field)).toEqual([]);
  });

  it('is shown without such marks when it was read out of a document', () => {
    expect(displayable('invoice\u202efdp.exe')).toBe('invoicefdp.exe');
  });
});
