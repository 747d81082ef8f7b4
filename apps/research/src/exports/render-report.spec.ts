import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createTextWorkers } from '../workers/text-workers.ts';
import { renderReport } from './render-report.ts';

const HOSTILE = '<script>alert(1)</script> & "quotes"';
const citation = (number: number, title: string, uri: string | null, quote: string) => ({
  number,
  finding_id: `fnd_${number}`,
  source_id: `src_${number}`,
  title,
  uri,
  quote,
  start: 100 * number,
});
const CITATIONS = [
  citation(1, HOSTILE, 'javascript:alert(1)', 'The harbour owes 4 million.'),
  citation(2, 'Yearbook', 'https://example.org/?a=1&b="2"', 'Łódź pays 5 % – Ελλάδα, Россия, 東京.'),
];
const MARKDOWN = [
  `# Harbour ${HOSTILE}\n`,
  '## Debts\n\n- The harbour owes 4 million. [1]\n- It pays 5 %. [2] [1]\n',
  '## Prose\n\nOne thing. [1] Another thing. [2]\n',
  '## Staff\n\n| Pilot | Since | Source |\n| --- | --- | --- |\n| Ida | 2019 | [1] |\n| Jon | 2022 | [2] |\n',
  '## Without an answer in the sources\n\n> Berths\n>\n> Cranes\n',
  '## Sources\n\n[1]: handbook\n[2]: Yearbook <https://example.org/>\n',
].join('\n');
const FACTS = {
  thread_id: 'thr_1',
  prompt: 'Write about the harbour',
  generated: false,
  assumptions: ['Which? — nobody answered; assumed: All of them'],
  created_at: '2026-01-02T03:04:05.000Z',
  finished_at: null,
};
const render = (format: 'html' | 'pdf' | 'json', markdown = MARKDOWN) =>
  renderReport({ format, markdown, citations: CITATIONS, facts: FACTS });

const workers = createTextWorkers({ workers: 1, cpuMaxMs: 20_000 });
afterAll(() => workers.close());

describe('a report as JSON', () => {
  it('has its statements with what they cite, tables by cell, and where each quote stands', async () => {
    const report = JSON.parse((await render('json')) as string);
    expect(report).toMatchObject({ thread_id: 'thr_1', title: `Harbour ${HOSTILE}`, prompt: FACTS.prompt });
    expect(report.sections.map(({ heading }: { heading: string }) => heading)).toEqual([
      'Debts',
      'Prose',
      'Staff',
      'Without an answer in the sources',
    ]);
    const [debts, prose, staff, open] = report.sections.map(({ blocks }: { blocks: unknown[] }) => blocks[0]);
    expect(debts.statements[1]).toEqual({ text: 'It pays 5 %.', citations: [2, 1] });
    expect(prose).toEqual({
      kind: 'paragraph',
      statements: [
        { text: 'One thing.', citations: [1] },
        { text: 'Another thing.', citations: [2] },
      ],
    });
    expect(staff.columns).toEqual(['Pilot', 'Since', 'Source']);
    expect(staff.rows[1]).toEqual([
      { text: 'Jon', citations: [] },
      { text: '2022', citations: [] },
      { text: '', citations: [2] },
    ]);
    expect(open.statements.map(({ text }: { text: string }) => text)).toEqual(['Berths', 'Cranes']);
    expect(report.citations[0]).toMatchObject({ start: 100, end: 127, quote: CITATIONS[0]!.quote });
  });
});

describe('a report as HTML', () => {
  it('runs nothing, loads nothing, and links to the web only', async () => {
    const html = (await render('html')) as string;
    expect(html).not.toMatch(/<script|src=|@import|url\(|href="javascript/i);
    expect(html.match(/href="[^"#][^"]*"/g)).toEqual(['href="https://example.org/?a=1&amp;b=&quot;2&quot;"']);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;');
    const style = /<style>([^]*?)<\/style>/.exec(html)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;`);
  });

  it('leads from each mark to its source', async () => {
    const html = (await render('html')) as string;
    expect(html).toContain('It pays 5 %.<sup><a href="#source-2">2</a> <a href="#source-1">1</a></sup>');
    for (const number of [1, 2]) expect(html).toContain(`id="source-${number}"`);
  });
});

describe('a report as PDF', () => {
  it('says what the report says, and what it cannot show', async () => {
    const task = { format: 'pdf' as const, markdown: MARKDOWN, citations: CITATIONS, facts: FACTS };
    const bytes = (await workers.run('tnt_1', task, 'renderReport', {})) as Uint8Array;
    const file = await workers.run('tnt_1', { bytes, name: 'report.pdf', policy: 'off' }, 'readFile', {});
    const { mediaType, text: whole } = file as Extract<typeof file, { ok: true }>;
    const text = whole.replace(/\s+/g, ' ');
    expect(mediaType).toBe('application/pdf');
    expect(text).toContain('The harbour owes 4 million. [1]');
    expect(text).toContain('Łódź pays 5 % – Ελλάδα, Россия, □□.');
    expect(text).toContain('2 characters of other scripts are shown as □.');
    for (const cell of ['Pilot', 'Jon', '2022']) expect(text).toContain(cell);
  });

  it('is the same for the same report, and goes on over pages', async () => {
    const long = MARKDOWN.replace(
      '## Prose',
      `${'- The harbour owes 4 million, as it has for years. [1]\n'.repeat(150)}\n## Prose`,
    );
    const [first, second] = [await render('pdf', long), await render('pdf', long)];
    expect(Buffer.from(first as Uint8Array).equals(Buffer.from(second as Uint8Array))).toBe(true);
    expect(
      Buffer.from(first as Uint8Array)
        .toString('latin1')
        .match(/\/Type \/Page\b/g)!.length,
    ).toBeGreaterThan(3);
  });

  it('is not cut short: one that is too long is none', async () => {
    const long = `# Long\n\n${'x'.repeat(600_000)}\n`;
    await expect(render('pdf', long)).rejects.toMatchObject({ name: 'ReportTooLong' });
  });

  it('breaks words that no line could hold', async () => {
    const word = 'x'.repeat(5_000);
    expect(((await render('pdf', `# Long\n\n- ${word} [1]\n`)) as Uint8Array).length).toBeGreaterThan(1_000);
  });
});
