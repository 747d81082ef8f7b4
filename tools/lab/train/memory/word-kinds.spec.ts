import { expect, it } from '@jest/globals';
import kept from '../../../../apps/memory/src/text/word-kinds.json' with { type: 'json' };
import { wordsByKind } from './word-kinds.ts';

it('the kinds of words that are kept are those of the installed compromise', () => {
  expect(kept).toEqual(wordsByKind());
});
