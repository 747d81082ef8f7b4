import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunkText } from './chunk-text.ts';

describe('chunkText', () => {
  it('cuts Markdown along its headings and says the way down to each section', () => {
    const chunks = chunkText(
      '# Guide\n\nIntro.\n\n## Setup\n\nInstall it.\n\n### Linux\n\nUse apt.\n\n## Use\n\nRun it.',
      'Guide',
    );
    expect(chunks.map((chunk) => [chunk.titlePath, chunk.body])).toEqual([
      ['Guide', 'Intro.'],
      ['Guide › Setup', 'Install it.'],
      ['Guide › Setup › Linux', 'Use apt.'],
      ['Guide › Use', 'Run it.'],
    ]);
  });

  it('begins what describes a name with the name, and nothing else with its heading', () => {
    const bodies = chunkText(
      '# Guide\n\n## wait_seconds\n\nHow long to wait.\n\nThe default is 5.\n\n## pump.start(port)\n\nStarts it.\n\n## Long waits\n\nAvoid them.',
      'Guide',
    ).map(({ body }) => body);
    expect(bodies).toEqual([
      'wait_seconds: How long to wait.\n\nThe default is 5.',
      'pump.start(port): Starts it.',
      'Avoid them.',
    ]);
  });

  it('names the columns in every row of a table, so that a row can be understood alone', () => {
    const [chunk] = chunkText(
      '| Name | Price | Since |\n|---|---|---|\n| Tag | 34 € | 2024 |\n| Probe | 90 € | |',
      null,
    );
    expect(chunk!.body).toBe('Name: Tag; Price: 34 €; Since: 2024\nName: Probe; Price: 90 €');
  });

  it('takes the first cell for the name in a table of two columns', () => {
    const [chunk] = chunkText('| Property | Value |\n|---|---|\n| Range | 40 m |', null);
    expect(chunk!.body).toBe('Range: 40 m');
  });

  it('keeps the words of links, emphasis and code, and drops their signs', () => {
    const [chunk] = chunkText('See [the **page**](other.md) and run `npm test`.\n\n- one\n- two', null);
    expect(chunk!.body).toBe('See the page and run npm test.\n\n- one\n- two');
  });

  it('leaves plain text as it is', () => {
    const text = 'Costs 5 * 3 * 2 euros, snake_case_name, a < b.';
    expect(chunkText(text, null)).toEqual([
      { titlePath: '', contextPrefix: '', body: text, location: { char_start: 0, char_end: text.length } },
    ]);
  });

  it('points at the place in the source', () => {
    const source = 'First paragraph.\n\n\nSecond paragraph, here.';
    for (const { location } of chunkText(source, null))
      expect(source.slice(location.char_start, location.char_end)).toContain('paragraph');
  });

  it('loses no word of a plain text, whatever its length, and keeps chunks within bounds', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}[.,]?$/);
    const text = fc
      .array(
        fc.array(word, { minLength: 1, maxLength: 400 }).map((words) => words.join(' ')),
        { minLength: 1, maxLength: 6 },
      )
      .map((paragraphs) => paragraphs.join('\n\n'));
    fc.assert(
      fc.property(text, (content) => {
        const chunks = chunkText(content, null);
        expect(
          chunks
            .map((chunk) => chunk.body)
            .join(' ')
            .split(/\s+/),
        ).toEqual(content.split(/\s+/));
        expect(Math.max(...chunks.map((chunk) => chunk.body.length))).toBeLessThanOrEqual(1_802);
      }),
      { numRuns: 60 },
    );
  });

  it('cuts a paragraph that is too long into pieces of about one size, between sentences', () => {
    const sentence = 'The pump in the north hall lost pressure again. ';
    const bodies = chunkText(sentence.repeat(42).trim(), null).map((chunk) => chunk.body);
    expect(bodies).toHaveLength(2);
    for (const body of bodies) {
      expect(body).toMatch(/^The .*again\.$/);
      expect(Math.abs(body.length - (sentence.length * 42) / 2)).toBeLessThanOrEqual(sentence.length);
    }
  });

  it('cuts a sentence that is too long through no character of two units', () => {
    const text = `a${'😀'.repeat(2_000)}`;
    const bodies = chunkText(text, null).map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies.every((body) => body.isWellFormed())).toBe(true);
    expect(bodies.join('')).toBe(text);
  });

  it('gives nothing for blank text and survives unbalanced Markdown', () => {
    expect(chunkText('  \n\n ', null)).toEqual([]);
    expect(chunkText('# a\n\n```\nnever closed\n\n| x |\n[broken](', null).length).toBeGreaterThan(0);
  });
});
