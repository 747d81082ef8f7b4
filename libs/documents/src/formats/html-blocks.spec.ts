import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../parse-document.ts';

async function textsOf(body: string): Promise<string[]> {
  const { blocks } = await parseDocument(`<!doctype html><html><body>${body}</body></html>`);
  return blocks.map(({ text }) => text);
}

describe('the blocks of a page', () => {
  it('begin a definition with its terms, so that neither is found without the other', async () => {
    const page =
      '<dl><dt>-u</dt><dt>--untracked:</dt><dd><p>Files that are new are kept too.</p><p>Ignored ones are not.</p></dd>' +
      '<dt>--quiet</dt><dd>Says nothing.</dd></dl>';
    expect(await textsOf(page)).toEqual([
      '-u, --untracked: Files that are new are kept too.',
      'Ignored ones are not.',
      '--quiet: Says nothing.',
    ]);
  });

  it('have terms without buttons and scripts, whose parts stay apart', async () => {
    const page =
      '<dl><dt><div>--verbose</div><div>-v</div><button>Copy</button><script>run()</script></dt><dd>Says more.</dd></dl>';
    expect(await textsOf(page)).toEqual(['--verbose -v: Says more.']);
  });

  it('let a term stand for itself before code, before a heading and at the end', async () => {
    const page = '<dl><dt>start</dt><dd><pre>pump start</pre></dd><dt>stop</dt></dl><h2>Next</h2><p>More.</p>';
    expect(await textsOf(page)).toEqual(['start', 'pump start', 'stop', 'More.']);
  });

  it('put the items of a list below their term', async () => {
    expect(await textsOf('<dl><dt>Modes</dt><dd><ul><li>slow</li><li>fast</li></ul></dd></dl>')).toEqual([
      'Modes:\n- slow\n- fast',
    ]);
  });

  it.each([
    ['code', '<pre>&lt;password&gt;sunflower&lt;/password&gt;</pre>'],
    [
      'a table',
      '<table><tr><th>User</th><th>Password</th></tr><tr><td>ann</td><td>sunflower</td></tr><tr><td>bob</td><td>x</td></tr></table>',
    ],
  ])('keep the values of %s that defines a term where they stand', async (_what, inner) => {
    const { blocks } = await parseDocument(
      `<!doctype html><html><body><dl><dt>Config</dt><dd>${inner}</dd></dl></body></html>`,
    );
    const named = blocks.flatMap(({ text, values = [] }) =>
      values.flatMap(({ names, start, end }) => (/password/i.test(names.join()) ? [text.slice(start, end)] : [])),
    );
    expect(named).toContain('sunflower');
  });

  it('are below headings without the signs that link to them', async () => {
    const { blocks } = await parseDocument(
      '<!doctype html><html><body><h1>Pump<a href="#pump">¶</a></h1><p>It pumps.</p></body></html>',
    );
    expect(blocks.map(({ headings }) => headings)).toEqual([['Pump']]);
  });

  it('name each property of a table of names and values once', async () => {
    const page =
      '<table><tr><th>Syntax:</th><td>Wait seconds</td></tr><tr><th>Default:</th><td>Wait 5</td></tr></table>';
    expect(await textsOf(page)).toEqual(['- Syntax: Wait seconds\n- Default: Wait 5']);
  });
});

describe('a page that was made for a web server', () => {
  it('is read as a page behind the header of its type', async () => {
    const { blocks, mediaType } = await parseDocument(
      'Content-type: text/html; charset=UTF-8\n\n<!DOCTYPE html>\n<HTML><BODY><P>One line\nand another.</P></BODY></HTML>',
    );
    expect([mediaType, blocks.map(({ text }) => text)]).toEqual(['text/html', ['One line and another.']]);
  });
});
