import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '@cairn/documents';
import { makeZip } from './make-files.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const sheetOf = (cells: string) => `<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`;

/** The sheets of a workbook with what their rows say. */
async function rowsOf(entries: Record<string, string>) {
  const { blocks } = await parseDocument(makeZip(entries));
  return blocks.map(({ text, location }) => [location.sheet, text]);
}

describe('a sheet has the name of its tab', () => {
  const tab = (name: string, id: string) => `<sheet name="${name}" sheetId="1" r:id="${id}"/>`;
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;

  it('whatever the number of its part and the tabs of charts before it, in the order of the tabs', async () => {
    const rows = await rowsOf({
      'xl/workbook.xml': `<workbook xmlns:r="${RELATIONS}"><sheets>${tab('Curve', 'r9')}${tab('May', 'r2')}${tab('April', 'r1')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'worksheet', '/xl/worksheets/data.xml')}${relation('r9', 'chartsheet', 'chartsheets/sheet1.xml')}</Relationships>`,
      'xl/worksheets/sheet1.xml': sheetOf('<c><v>4</v></c>'),
      'xl/worksheets/data.xml': sheetOf('<c><v>5</v></c>'),
      'xl/chartsheets/sheet1.xml': '<chartsheet/>',
    });
    expect(rows).toEqual([
      ['May', '5'],
      ['April', '4'],
    ]);
  });

  it('and one by its number in a workbook that does not say which part a tab shows', async () => {
    const rows = await rowsOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Stock" sheetId="1"/></sheets></workbook>',
      'xl/worksheets/sheet1.xml': sheetOf('<c><v>1</v></c>'),
      'xl/worksheets/sheet2.xml': sheetOf('<c><v>2</v></c>'),
    });
    expect(rows).toEqual([
      ['Stock', '1'],
      ['Sheet 2', '2'],
    ]);
  });
});

describe('a time of a workbook', () => {
  const STYLES =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red][hh]:mm"/><numFmt numFmtId="165" formatCode="[$-409]d mmm yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="46"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';

  async function shown(style: number, value: number, about = ''): Promise<string> {
    const [row] = await rowsOf({
      'xl/workbook.xml': `<workbook>${about}<sheets><sheet name="Times"/></sheets></workbook>`,
      'xl/styles.xml': STYLES,
      'xl/worksheets/sheet1.xml': sheetOf(`<c s="${style}"><v>${value}</v></c>`),
    });
    return row![1]!;
  }

  it.each([
    [1, 46_084, '2026-03-03'],
    [4, 46_084.5, '2026-03-03 12:00'],
    [0, 1.5, '1.5'],
    [2, 1.5, '36:00:00'],
    [3, 1.5, '36:00:00'],
    [2, 0.25, '6:00:00'],
    [2, 1 / 86_400, '0:00:01'],
    [2, 100 / 3 / 24, '33:20:00'],
    [2, -0.5, '-12:00:00'],
  ])('is shown as its style says, a duration as hours without end: style %d, %d', async (style, value, text) => {
    expect(await shown(style, value)).toBe(text);
  });

  it('counts from 1904 where the workbook does, and a duration from nothing', async () => {
    for (const flag of ['1', 'true']) {
      const about = `<workbookPr date1904="${flag}"/>`;
      expect(await shown(1, 44_622, about)).toBe('2026-03-03');
      expect(await shown(2, 1.5, about)).toBe('36:00:00');
    }
    expect(await shown(1, 46_084, '<workbookPr date1904="0"/>')).toBe('2026-03-03');
  });
});
