import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { locateWords } from './locate-words.ts';

describe('locateWords', () => {
  it('finds pieces in their order across line breaks, from the first to the last', () => {
    const text = 'Before. The bridge\n  was opened. Between.\tIt is red. After.';
    const span = locateWords(text, ['The bridge was opened.', 'It is red.'])!;
    expect(text.slice(span.start, span.end)).toBe('The bridge\n  was opened. Between.\tIt is red.');
  });

  it('counts in UTF-16 units, so that slicing the text gives the words', () => {
    const text = '🚲🚲 Das  Rad 🚲 rollt.';
    const span = locateWords(text, ['Das Rad 🚲 rollt.'])!;
    expect(text.slice(span.start, span.end)).toBe('Das  Rad 🚲 rollt.');
  });

  it('finds nothing where a piece is missing, stands before the one ahead of it, or is empty', () => {
    expect(locateWords('One. Two.', ['Three.'])).toBeNull();
    expect(locateWords('One. Two.', ['Two.', 'One.'])).toBeNull();
    expect(locateWords('One. Two.', ['One.', ''])).toBeNull();
    expect(locateWords('One. Two.', [])).toBeNull();
  });

  it('finds any part of any text again', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'ß', '🚲', ' ', '\n', '\u00a0', '.'), maxLength: 40 });
    fc.assert(
      fc.property(word, fc.nat(40), fc.nat(40), (text, from, length) => {
        const piece = text
          .slice(from, from + length)
          .trim()
          .replace(/\s+/g, ' ');
        fc.pre(piece !== '');
        const span = locateWords(text, [piece])!;
        expect(text.slice(span.start, span.end).replace(/\s+/g, ' ')).toBe(piece);
      }),
    );
  });
});
