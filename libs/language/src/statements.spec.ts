import { describe, expect, it } from '@jest/globals';
import { plainText, statementsOf } from './statements.ts';

const textsOf = (text: string) => statementsOf(text).map((statement) => statement.text);

describe('statementsOf', () => {
  it('returns sentences, list items and rows, each with its place and headings', () => {
    const text =
      '# Pumps\n\nOne is old. It leaks.\n\n- Check it daily\n\n## Costs\n\nPump: A; Cost: 40 €\n| B | 50 € |\n';
    const statements = statementsOf(text);
    expect(statements.map(({ text: found, headings }) => [found, headings.join(' › ')])).toEqual([
      ['One is old.', 'Pumps'],
      ['It leaks.', 'Pumps'],
      ['Check it daily', 'Pumps'],
      ['Pump: A; Cost: 40 €', 'Pumps › Costs'],
      ['| B | 50 € |', 'Pumps › Costs'],
    ]);
    for (const { text: found, start } of statements) expect(text.slice(start, start + found.length)).toBe(found);
  });

  it('takes no code between fences for a statement', () => {
    expect(textsOf('Run it:\n\n```sh\nnpm start now.\n```\n\nIt says so.\n\n~~~\nopen to the end')).toEqual([
      'Run it:',
      'It says so.',
    ]);
  });

  it('reads on below an underlined heading and after code within a line', () => {
    expect(textsOf('~~~~~~~\n\nRefunds take 14 days.\n\n```npm start``` runs it.\n\nIt can be changed.')).toEqual(
      expect.arrayContaining(['Refunds take 14 days.', 'It can be changed.']),
    );
  });

  it('keeps a citation mark with its sentence, and a sentence that wraps in one piece', () => {
    expect(textsOf('It costs 40 euros.[1] It was\nbuilt in 1990 by J. Smith.')).toEqual([
      'It costs 40 euros.[1]',
      'It was\nbuilt in 1990 by J. Smith.',
    ]);
  });
});

describe('plainText', () => {
  it('removes Markdown and keeps the words', () => {
    expect(plainText('See **the [pump](https://a.example/b_(c))** and `run`\nit | now |')).toBe(
      'See the pump and run it — now',
    );
  });

  it('keeps names that begin and end with underscores', () => {
    expect(plainText('The __init__ method of __all__ __bold words__, and `__new__`')).toBe(
      'The __init__ method of __all__ bold words, and __new__',
    );
  });
});
