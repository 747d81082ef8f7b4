import { describe, expect, it } from '@jest/globals';
import { markSpans, spanOfQuote } from './mark-spans.ts';

describe('marked text', () => {
  it('is the whole text again when its pieces are joined', () => {
    const text = 'The walker saw a heron.';
    const marks = [
      { start: 4, end: 10 },
      { start: 8, end: 40 },
      { start: -5, end: 3 },
    ];
    expect(
      markSpans(text, marks)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('says of each piece which marks cover it, also where they overlap', () => {
    const first = { start: 0, end: 5, name: 'first' };
    const second = { start: 3, end: 8, name: 'second' };
    expect(markSpans('abcdefghij', [first, second])).toEqual([
      { text: 'abc', marks: [first] },
      { text: 'de', marks: [first, second] },
      { text: 'fgh', marks: [second] },
      { text: 'ij', marks: [] },
    ]);
  });

  it('ignores marks that cover nothing', () => {
    expect(
      markSpans('abc', [
        { start: 1, end: 1 },
        { start: 9, end: 12 },
      ]),
    ).toEqual([{ text: 'abc', marks: [] }]);
  });

  it('finds a quote only where it stands word for word', () => {
    expect(spanOfQuote('It opens at ten.', 'opens at')).toEqual({ start: 3, end: 11 });
    expect(spanOfQuote('It opens at ten.', 'closes')).toBeNull();
    expect(spanOfQuote('It opens at ten.', '')).toBeNull();
  });
});
