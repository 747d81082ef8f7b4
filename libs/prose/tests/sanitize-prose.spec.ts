import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LinkifyIt } from 'linkify-it';
import MarkdownIt from 'markdown-it';
import { marked, type Token as MarkedToken } from 'marked';
import { sanitizeProse } from '../src/index.ts';
import { HARMLESS, STEERING } from './steering.ts';

/** Parsers other than the sanitizer's own, set to find as much as they can. */
const markdownIt = new MarkdownIt({ html: true, linkify: true });
markdownIt.validateLink = () => true;
const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false });
const LEADS: ReadonlySet<string> = new Set(['link_open', 'image', 'html_inline', 'html_block']);
const MARKED_LEADS: ReadonlySet<string> = new Set(['link', 'image', 'html', 'def']);

interface ParsedToken {
  type: string;
  children: ParsedToken[] | null;
}

/** Everything in the text that a renderer, or a program that looks for addresses, would act on. */
function whatLeads(text: string): string[] {
  const found: string[] = [];
  const walk = (tokens: readonly ParsedToken[]) => {
    for (const { type, children } of tokens) {
      if (LEADS.has(type)) found.push(`markdown-it: ${type}`);
      if (children !== null) walk(children);
    }
  };
  walk(markdownIt.parse(text, {}));
  const walkMarked = (tokens: readonly MarkedToken[]) => {
    marked.walkTokens([...tokens], ({ type }) => {
      if (MARKED_LEADS.has(type)) found.push(`marked: ${type}`);
    });
  };
  walkMarked(marked.lexer(text));
  for (const { url } of linkify.match(text) ?? []) found.push(`linkify: ${url}`);
  return found;
}

describe('prose of a model', () => {
  it.each(STEERING)('leads nowhere: %j', (text) => {
    const clean = sanitizeProse(text);
    expect({ clean, leads: whatLeads(clean) }).toEqual({ clean, leads: [] });
    expect(clean).not.toMatch(/evil\.(?:com|example|рф)[/?#\\]/);
    expect(sanitizeProse(clean)).toBe(clean);
  });

  it('of the corpus does lead somewhere before', () => {
    // Those that only a browser, or a reader, completes have no node in these parsers.
    expect(STEERING.filter((text) => whatLeads(text).length > 0).length).toBeGreaterThanOrEqual(50);
  });

  it.each(HARMLESS)('stays as it is: %j', (text) => {
    expect(sanitizeProse(text)).toBe(text);
    expect(whatLeads(text)).toEqual([]);
  });

  it('keeps the words of a link and its citation, and says that an address is missing', () => {
    expect(sanitizeProse('See [the manual](https://a.example/m) of 2024 [1][2].')).toBe(
      'See the manual of 2024 [1][2].',
    );
    expect(sanitizeProse('It is at https://a.example/m, as they say [1].')).toBe('It is at …, as they say [1].');
    expect(sanitizeProse('(It is at https://a.example/m).[1]')).toBe('(It is at …).[1]');
  });

  it('names domains, addresses of e-mail and files without leading to them', () => {
    expect(sanitizeProse('Write to ann@a.example, or open config.py on a.org [1].')).toBe(
      'Write to `ann@a.example`, or open `config.py` on `a.org` [1].',
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(...STEERING),
    fc.constantFrom(...HARMLESS),
    fc.constantFrom('[', ']', '(', ')', '<', '>', '!', '`', '``', '\\', '/', '//', ':', '.', '"', "'", '\n', ' ', '&'),
    fc.constantFrom(
      'https',
      'javascript',
      'www',
      'evil',
      'com',
      'img',
      'src=',
      'a',
      '[1]',
      '[1]:',
      '&#58;',
      '%2F',
      '*',
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  it('of any shape leads nowhere, and is settled after one pass', () => {
    fc.assert(
      fc.property(text, (written) => {
        const clean = sanitizeProse(written);
        expect({ clean, leads: whatLeads(clean) }).toEqual({ clean, leads: [] });
        expect(sanitizeProse(clean)).toBe(clean);
      }),
      { numRuns: 400 },
    );
  }, 120_000);

  it('leads nowhere out of a block of code that ends elsewhere when sentences are joined', () => {
    const block = sanitizeProse('``` \nfenced\n``` [1]. Write to <ann@evil.example>');
    expect(whatLeads(`A list:\n- ${block}`)).toEqual([]);
    expect(sanitizeProse(block)).toBe(block);
  });

  it('leads nowhere when sentences that were cleaned one by one are joined', () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.constantFrom(' ', '\n', '\n\n', '\n- '),
        (sentences, between) => {
          const joined = sentences.map((sentence) => sanitizeProse(sentence).trim()).join(between);
          expect({ joined, leads: whatLeads(joined) }).toEqual({ joined, leads: [] });
        },
      ),
      { numRuns: 250 },
    );
  }, 120_000);

  it.each([
    '[',
    '](',
    '<a',
    '![![',
    '`a',
    ')]',
    'a.',
    'a@',
    '&#',
    '//',
    'http:',
    '> ',
    '- ',
    '*a_',
    '|',
    '<!--',
    '\\',
    '[](',
    '[1]: ',
  ])(
    'is read in time, whatever is repeated, and however long it is: %j',
    (unit) => {
      // Quadratic work would take minutes.
      const clean = sanitizeProse(unit.repeat(Math.ceil(40_000 / unit.length)));
      expect(whatLeads(clean.slice(0, 2_000))).toEqual([]);
    },
    20_000,
  );

  it('longer than what is parsed at once leads nowhere either', () => {
    const long = `${'It is so. '.repeat(399)}See [here](https://evil.example/a) or evil.example/b [1]. ${'And so. '.repeat(600)}`;
    const clean = sanitizeProse(long);
    expect(clean).not.toContain('evil.example/');
    expect(clean.length).toBeGreaterThan(8_000);
    expect(whatLeads(clean)).toEqual([]);
  });
});
