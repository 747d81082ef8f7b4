import { describe, expect, it } from '@jest/globals';
import { splitSentences } from './sentences.ts';

describe('splitSentences', () => {
  it('does not split after abbreviations and initials', () => {
    const text = 'Dr. A. Lovelace met Mr. Babbage. They spoke, e.g. about engines.';
    expect(splitSentences(text).map((sentence) => sentence.text)).toEqual([
      'Dr. A. Lovelace met Mr. Babbage.',
      'They spoke, e.g. about engines.',
    ]);
  });

  it('says where each sentence is', () => {
    const text = '  First one.\n\n Second one?  ';
    const sentences = splitSentences(text);
    expect(sentences.map(({ start, end }) => text.slice(start, end))).toEqual(['First one.', 'Second one?']);
    expect(sentences.map((sentence) => sentence.text)).toEqual(['First one.', 'Second one?']);
  });

  it('returns nothing for a blank text, and keeps what ends in an abbreviation', () => {
    expect(splitSentences(' \n ')).toEqual([]);
    expect(splitSentences('Pumps, valves, etc.').map((sentence) => sentence.text)).toEqual(['Pumps, valves, etc.']);
  });
});
