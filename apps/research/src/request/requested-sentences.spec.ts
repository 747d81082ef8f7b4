import { createSyntax } from '@cairn/reading';
import { expect, it } from '@jest/globals';
import { readingModel } from '../text/reading-model.ts';
import { requestedSentences } from './requested-sentences.ts';

const syntax = createSyntax(readingModel());

it.each([
  ['Nurses in Oslo. They must speak Dutch.', ['Nurses in Oslo', 'They must speak Dutch']],
  ['Nurses in Oslo. Only those who speak Norwegian.', ['Nurses in Oslo', 'Only those who speak Norwegian']],
  ['Find managers, at Siemens, in Munich', ['Find managers, at Siemens, in Munich']],
  ['Find managers. They work at Siemens.', ['Find managers', 'They work at Siemens']],
  ['Keep only people from Norway: engineers at Equinor', ['Keep only people from Norway, engineers at Equinor']],
  ['You should find engineers in Oslo', ['You should find engineers in Oslo']],
  ['People named in my documents, as a table.', ['People named']],
  ['Engineers at Acme Inc. Use CSV.', ['Engineers at Acme Inc']],
])('%s: no condition of a list is dropped as an instruction', (prompt, wanted) => {
  expect(requestedSentences(syntax, prompt)).toEqual(wanted);
});
