import { describe, expect, it } from '@jest/globals';
import { reportFromDraft } from './report-draft.ts';
import type { ReportFinding } from './report-types.ts';

const finding = (quote: string, more: Partial<ReportFinding> = {}): ReportFinding => ({
  finding_id: `fnd_${quote.length}`,
  source_id: 'src_1',
  title: 'Yearbook',
  uri: null,
  quote,
  start_at: quote.length,
  topic: 'Ferry',
  score: 1,
  ...more,
});
const NOTHING = { conflicts: [], computed: [], superseded: [] };
const REQUEST = { title: 'Ferry', asked: 'Write about the ferry', topics: ['Ferry'] };
const draftOf = (text: string, number = 1) => ({
  sections: [{ heading: 'Any', sentences: [{ text, findings: [number] }] }],
});
const written = (text: string, findings: readonly ReportFinding[]) =>
  reportFromDraft(REQUEST, draftOf(text), findings, NOTHING);

const LAUNCH = finding(
  'The ferry starts in May at a price of 24 euros.\nIt carries 60 cars.\nIts licence is in phase 2 of 3.',
);

describe('the text of a model', () => {
  it('may say several sentences with one citation', () => {
    const report = written('The ferry starts in May at a price of 24 euros. It carries 60 cars.', [LAUNCH]);
    expect(report).toMatchObject({ dropped: 0 });
    expect(report!.markdown).toContain('- The ferry starts in May at a price of 24 euros. It carries 60 cars. [1]');
  });

  it('loses only its unsupported sentences, and what leans on them', () => {
    const report = written(
      'The ferry starts in May at a price of 24 euros. The harbour is bankrupt. It carries 60 cars.',
      [LAUNCH],
    );
    expect(report).toMatchObject({ dropped: 2 });
    expect(report!.markdown).toContain('- The ferry starts in May at a price of 24 euros. [1]');
  });

  it('dates what no longer holds', () => {
    const old = finding('A ticket costs 19 euros.', { is_old: true, as_of: 'May 2024' });
    expect(written('A ticket costs 19 euros.', [old])!.markdown).toContain(
      '- A ticket costs 19 euros (as of May 2024). [1]',
    );
    const dateless = finding('A ticket costs 19 euros.', { is_old: true, as_of: null });
    expect(written('A ticket costs 19 euros.', [dateless])!.markdown).toContain('19 euros (superseded). [1]');
  });

  it('keeps the values of a row under their labels', () => {
    const row = finding('Round: Seed; Month: May 2018; Lead: Bryn Partners');
    expect(written('Round: Seed; Lead: Bryn Partners', [row])).toMatchObject({ dropped: 0 });
    expect(written('Round: Month; Seed: May 2018; Lead: Bryn Partners', [row])).toBeNull();
  });

  it('leaves no question out that the findings answer', () => {
    const debts = finding('The ferry owes the bank 4 million.', { topic: 'Debts' });
    const request = { ...REQUEST, topics: ['Ferry', 'Debts'], asked: 'Write about the ferry and its debts' };
    const report = reportFromDraft(request, draftOf('It carries 60 cars.'), [LAUNCH, debts], NOTHING);
    expect(report!.markdown).toContain('## Debts\n\n- The ferry owes the bank 4 million. [2]');
  });

  it('leaves no question out whose heading is also that of another', () => {
    const topics = ['Ferry', 'Solvency matters', 'Staffing matters'];
    const debts = finding('The ferry owes the bank 4 million.', { topic: topics[1]! });
    const crew = finding('It has a crew of 9.', { topic: topics[2]! });
    const report = reportFromDraft(
      { ...REQUEST, topics },
      draftOf('It carries 60 cars.'),
      [LAUNCH, debts, crew],
      NOTHING,
    );
    expect(report!.markdown).toContain('- The ferry owes the bank 4 million. [2]\n- It has a crew of 9. [3]');
  });

  it('is not followed by rows that only show a computed answer', () => {
    const row = finding('boat: Alba; berth: 4', { topic: 'Berths', answers: [] });
    const request = { ...REQUEST, topics: ['Ferry', 'Berths'] };
    const report = reportFromDraft(request, draftOf('It carries 60 cars.'), [LAUNCH, row], NOTHING);
    expect(report!.markdown).not.toContain('Alba');
  });
});
