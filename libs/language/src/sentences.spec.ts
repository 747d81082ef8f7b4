import { describe, expect, it } from '@jest/globals';
import { splitSentences } from './sentences.ts';

describe('splitSentences', () => {
  it('does not end a sentence after an abbreviation or an initial', () => {
    const text = 'Dr. A. Lovelace met Mr. Babbage. They spoke, e.g. about engines.';
    expect(splitSentences(text).map((sentence) => sentence.text)).toEqual([
      'Dr. A. Lovelace met Mr. Babbage.',
      'They spoke, e.g. about engines.',
    ]);
  });

  it('states the place of each sentence without the white space around it', () => {
    const text = '  First one!\n\n Second one?  ';
    const sentences = splitSentences(text);
    expect(sentences.map(({ start, end }) => text.slice(start, end))).toEqual(['First one!', 'Second one?']);
    expect(sentences.map((sentence) => sentence.text)).toEqual(['First one!', 'Second one?']);
  });

  it('returns nothing for a blank text, and the whole of a text that ends in an abbreviation', () => {
    expect(splitSentences(' \n ')).toEqual([]);
    expect(splitSentences('Pumps, valves, etc.').map((sentence) => sentence.text)).toEqual(['Pumps, valves, etc.']);
  });
});
