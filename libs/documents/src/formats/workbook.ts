import { numbered } from './office.ts';
import { readRelationships, relationIn } from './relationships.ts';
import { readXml } from './xml.ts';
import type { OpenZip } from './zip.ts';

const WORKBOOK = 'xl/workbook.xml';

interface Workbook {
  /** Sheets of cells in the order of their tabs. */
  sheets: { name: string; part: string }[];
  /** Dates count from 1904, as old Macintoshes did. */
  isFrom1904: boolean;
}

export async function readWorkbook(zip: OpenZip): Promise<Workbook> {
  const tabs: Tab[] = [];
  let isFrom1904 = false;
  readXml((await zip.readText(WORKBOOK)) ?? '', {
    open(name, attributes) {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name === 'sheet') tabs.push({ name: attributes['name'] ?? '', id: relationIn(attributes) });
    },
  });
  const sheets = await sheetsOf(zip, tabs);
  return { sheets: sheets.length > 0 ? sheets : sheetsByNumber(zip, tabs), isFrom1904 };
}

interface Tab {
  name: string;
  id: string;
}

async function sheetsOf(zip: OpenZip, tabs: readonly Tab[]): Promise<Workbook['sheets']> {
  const parts = await readRelationships(zip, WORKBOOK);
  return tabs.flatMap(({ name, id }) => {
    const found = parts.get(id);
    return found?.kind === 'worksheet' ? [{ name, part: found.part }] : [];
  });
}

/** For a workbook that does not say which part a tab shows. */
function sheetsByNumber(zip: OpenZip, tabs: readonly Tab[]): Workbook['sheets'] {
  return numbered(zip.names, /^xl\/worksheets\/sheet(\d+)\.xml$/).map((part, index) => ({
    part,
    name: tabs[index]?.name ?? `Sheet ${index + 1}`,
  }));
}
