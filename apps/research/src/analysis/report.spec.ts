import { describe, expect, it } from '@jest/globals';
import { writeReport } from './report.ts';
import type { ReportFinding } from './report-types.ts';

const finding = (id: string, topic: string, quote: string, more: Partial<ReportFinding> = {}): ReportFinding => ({
  finding_id: id,
  source_id: 'src_1',
  title: 'Yearbook',
  uri: 'https://example.org/yearbook',
  quote,
  start_at: Number(id),
  topic,
  score: 1 / (1 + Number(id)),
  answers: [{ question: topic, score: 1 / (1 + Number(id)) }],
  as_of: null,
  is_old: false,
  ...more,
});
const NOTHING = { conflicts: [], computed: [], superseded: [] };
const REQUEST = { title: 'Harbour: Debts; Staff', asked: 'Write about debts and staff', topics: ['Debts', 'Staff'] };
const FINDINGS = [
  finding('1', 'Debts', 'The harbour owes the bank 4 million.'),
  finding('2', 'Debts', 'The harbour pays 5 % interest on debts.', { as_of: 'May 2025' }),
  finding('3', 'Debts', 'The debts are to be repaid by 2031.'),
  finding('4', 'Staff', 'The harbour employs 38 people as staff.'),
  finding('5', 'Staff', 'Two of the staff are pilots.'),
];

describe('a report', () => {
  it('begins with the strongest of each topic, and says nothing twice', () => {
    const { markdown } = writeReport(REQUEST, FINDINGS, NOTHING);
    expect(markdown).toMatch(/^# Harbour: Debts; Staff\n\n## Summary\n\n- The harbour owes .*\n- The harbour employs /);
    for (const { quote } of FINDINGS) expect(markdown.split(quote.slice(0, -1)).length).toBe(2);
  });

  it('quotes without the citation marks of a source, and with the numbers in brackets of its code', () => {
    const quote = 'The debts, which are paid,[3] are in `argv[1]` of the list.[12]';
    const { markdown } = writeReport(REQUEST, [finding('1', 'Debts', quote)], NOTHING);
    expect(markdown).toContain('The debts, which are paid, are in argv[1] of the list. [1]');
  });

  it('names each source once, with all numbers that cite it', () => {
    const { markdown, citations } = writeReport(REQUEST, FINDINGS, NOTHING);
    expect(markdown.match(/Yearbook/g)).toHaveLength(1);
    expect(markdown).toContain('[1] [2] [3] [4] [5]: Yearbook (May 2025) <https://example.org/yearbook>');
    expect(citations.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  it('dates a value that its quote does not date', () => {
    expect(writeReport(REQUEST, FINDINGS, NOTHING).markdown).toContain('5 % interest on debts (as of May 2025). [');
  });

  it('has a section for every question that is answered', () => {
    const both = (id: string, debts: number, staff: number) =>
      finding(id, 'Debts', `Statement ${id} of the harbour.`, {
        answers: [
          { question: 'Debts', score: debts },
          { question: 'Staff', score: staff },
        ],
      });
    const headings = (findings: ReportFinding[]) =>
      writeReport(REQUEST, findings, NOTHING).markdown.match(/^## .*\n\n- \w+ \w+/gm);
    expect(headings([both('1', 1, 0.4), both('2', 0.5, 0.4)])).toEqual([
      '## Debts\n\n- Statement 1',
      '## Staff\n\n- Statement 2',
    ]);
    expect(headings([both('1', 1, 0.4)])).toEqual(['## Debts\n\n- Statement 1', '## Staff\n\n- Statement 1']);
  });

  it('writes rows of one table as a table', () => {
    const rows = ['Pilot: Ida; Since: 2019', 'Pilot: Jon; Since: 2022'].map((quote, i) =>
      finding(`${i}`, 'Staff', quote),
    );
    expect(writeReport(REQUEST, rows, NOTHING).markdown).toContain(
      '| Pilot | Since | Source |\n| --- | --- | --- |\n| Ida | 2019 | [1] |\n| Jon | 2022 | [2] |',
    );
  });

  it('gives what a table says to a question, with the rows that show it, and no other rows for it', () => {
    const rows = ['Pilot: Ida; Since: 2019', 'Pilot: Jon; Since: 2022'];
    const found = [...FINDINGS.slice(0, 3), ...rows.map((quote, i) => finding(`${i + 6}`, 'Staff', quote))];
    const body = '2. Number of rows in “pilots.csv”.';
    const computed = [{ questions: ['Staff'], body, finding_ids: ['7'] }];
    const { markdown, citations } = writeReport(REQUEST, found, { ...NOTHING, computed });
    expect(markdown).toContain('## Staff\n\n2. Number of rows in “pilots.csv”. [4]\n');
    expect(citations.at(-1)).toMatchObject({ number: 4, quote: rows[1] });
    expect(markdown).not.toContain('Ida');
  });

  it('has no question without an answer that a table answers', () => {
    const row = finding('9', '', 'Pilot: Ida; Since: 2019', { answers: [] });
    const computed = [{ questions: ['Debts', 'Staff'], body: 'None.', finding_ids: ['9'] }];
    expect(writeReport(REQUEST, [row], { ...NOTHING, computed }).markdown).not.toContain('Without an answer');
  });

  it('is as short as it is asked to be', () => {
    const length = { most: 2, unit: 'sentences' as const };
    expect(writeReport({ ...REQUEST, instructions: { length } }, FINDINGS, NOTHING).citations).toHaveLength(2);
  });

  it('says how sure each part is, and why', () => {
    const also = finding('6', 'Debts', 'The harbour has debts of 4 million.', { source_id: 'src_2', as_of: '2024' });
    const doubted = finding('7', 'Staff', 'The harbour employs 52 people as staff.', { source_id: 'src_2' });
    const confidence = (findings: ReportFinding[], conflicts: { finding_ids: string[] }[] = []) =>
      writeReport(REQUEST, findings, { ...NOTHING, conflicts })
        .markdown.split('## Sources')[1]!
        .split('\n')
        .filter((line) => line.startsWith('> '));
    expect(confidence([...FINDINGS, also])).toEqual([
      '> Debts: high confidence (2 sources, the newest of May 2025).',
      '> Staff: medium confidence (1 source).',
    ]);
    expect(confidence([FINDINGS[3]!, doubted], [{ finding_ids: ['4', '7'] }])).toEqual([
      '> Staff: low confidence (2 sources, contradicted).',
    ]);
    const old = finding('8', 'Debts', 'The harbour owes 6 million.', { as_of: '2019', is_old: true });
    expect(confidence([old])).toEqual(['> Debts: low confidence (1 source, of 2019).']);
  });

  it('says what the sources do not say', () => {
    const { markdown } = writeReport(REQUEST, FINDINGS.slice(0, 3), NOTHING);
    expect(markdown).toContain('## Without an answer in the sources\n\n> Staff\n');
  });

  it('says how much was read where nothing answers', () => {
    const { markdown } = writeReport(REQUEST, [], { ...NOTHING, read: ['Minutes', 'Menu'] });
    expect(markdown).toBe(
      '# Harbour: Debts; Staff\n\n## Without an answer in the sources\n\n> Debts\n>\n> Staff\n\n2 sources were read, and no sentence of theirs answers this: Minutes; Menu.\n',
    );
    const many = Array.from({ length: 9 }, (_, i) => `Page ${i + 1}`);
    expect(writeReport(REQUEST, [], { ...NOTHING, read: many }).markdown).toContain(
      '9 sources were read, and no sentence of theirs answers this: Page 1; Page 2; Page 3; Page 4; Page 5; and 4 more.',
    );
    expect(writeReport(REQUEST, [], { ...NOTHING, read: [] }).markdown).toContain('\n\nNo source was found to read.\n');
    expect(writeReport(REQUEST, FINDINGS, { ...NOTHING, read: many }).markdown).not.toContain('were read');
  });

  it('says what a newer source replaces, and of which time it was', () => {
    const older = finding('9', '', 'The harbour owes the bank 6 million.', {
      answers: [],
      as_of: '2023',
      is_old: true,
    });
    const superseded = [{ newer_id: '1', older_id: '9' }];
    const { markdown } = writeReport(REQUEST, [...FINDINGS, older], { ...NOTHING, superseded });
    expect(markdown).toContain(
      '## Replaced by newer sources\n\n- The harbour owes the bank 6 million (as of 2023, superseded). [6]\n',
    );
  });

  it('lists three sides of one contradiction once each', () => {
    const conflicts = [{ finding_ids: ['1', '2'] }, { finding_ids: ['1', '3'] }];
    const { markdown } = writeReport(REQUEST, FINDINGS, { ...NOTHING, conflicts });
    expect(markdown.split('## Contradictions between the sources')[1]!.split('## ')[0]!.match(/^- /gm)).toHaveLength(3);
  });

  it('gives both sides of a contradiction, and nowhere else', () => {
    const { markdown } = writeReport(REQUEST, FINDINGS, { ...NOTHING, conflicts: [{ finding_ids: ['1', '2'] }] });
    expect(markdown.split('## Contradictions between the sources')[1]).toMatch(/owes the bank.*\n- The harbour pays/);
    expect(markdown.match(/owes the bank/g)).toHaveLength(1);
  });
});
