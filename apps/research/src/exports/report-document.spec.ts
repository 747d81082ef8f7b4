import { describe, expect, it } from '@jest/globals';
import { readReport } from './report-document.ts';

describe('a report taken apart', () => {
  it('keeps tables and lists apart that an empty line parts', () => {
    const markdown = [
      '# Harbour\n\n## Staff\n',
      '| Pilot | Since |\n| --- | --- |\n| Ida | 2019 [1] |\n',
      '| Crane | Built | Source |\n| --- | --- | --- |\n| North | 1990 | [2] |\n',
      '## Contradictions\n\n- Ida came in 2019. [1]\n- Ida came in 2020. [2]\n\n- It owes 4. [1]\n- It owes 5. [2]\n',
    ].join('\n');
    const [staff, contradictions] = readReport(markdown, []).sections;
    expect(staff!.blocks).toMatchObject([
      { columns: ['Pilot', 'Since'], rows: [[{ text: 'Ida' }, { text: '2019', citations: [1] }]] },
      { columns: ['Crane', 'Built', 'Source'], rows: [[{ text: 'North' }, { text: '1990' }, { citations: [2] }]] },
    ]);
    expect(contradictions!.blocks).toMatchObject([
      { kind: 'list', statements: [{ text: 'Ida came in 2019.' }, { text: 'Ida came in 2020.' }] },
      { kind: 'list', statements: [{ text: 'It owes 4.' }, { text: 'It owes 5.' }] },
    ]);
  });

  it('keeps what it says of its own confidence', () => {
    const markdown = '# Rivers\n\n## Sources\n\n[1]: Atlas\n\n> Springs: medium confidence (1 source).\n';
    expect(readReport(markdown, []).sections).toMatchObject([
      {
        heading: 'Confidence',
        blocks: [{ kind: 'quote', statements: [{ text: 'Springs: medium confidence (1 source).' }] }],
      },
    ]);
  });

  it('has a topic that is called Sources, but not the list of sources', () => {
    const markdown = '# Rivers\n\n## Sources\n\n- The Rhine springs twice. [1]\n\n## Sources\n\n[1]: Atlas\n';
    expect(readReport(markdown, []).sections).toEqual([
      {
        heading: 'Sources',
        blocks: [{ kind: 'list', statements: [{ text: 'The Rhine springs twice.', citations: [1] }] }],
      },
    ]);
  });
});
