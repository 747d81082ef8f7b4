/** The form that is asked for. */
export interface RequestedFormat {
  kind: 'table' | 'bullets' | 'sections' | 'prose' | null;
  /** Of a table, if the request names them. */
  columns: string[];
}

const COLUMNS =
  /\b(?:with|and) (?:the |these |following )*(?:columns?|fields?)(?: for| of|:)? ([^.;?!\n]{2,300})|\bcolumns?: ?([^.;?!\n]{2,300})/i;
const WITH_THEIR =
  /\b(?:with|including|along with) (?:their|its|his|her|each one['’]s|the respective) ([^.;?!\n]{2,200})/i;
const TABLE = /\b(?:tables?|tabular|spreadsheet|matrix)\b/i;
const BULLETS =
  /\b(?:bullet(?:ed)?(?:[ -]?(?:points?|list|form))?|bullets|(?:as|in|form of) an? (?:short |numbered |simple )?list|point form)\b/i;
const PROSE = /\b(?:prose|continuous text|running text|no (?:bullets|lists)|paragraphs?|essay)\b/i;
const COLUMNS_MAX = 12;

/** `parts` are the marked parts of the request, which become its sections. */
export function requestedFormat(prompt: string, parts: number): RequestedFormat {
  const columns = columnsIn(prompt);
  const table =
    TABLE.test(prompt) &&
    /\b(?:as|in|into|give|make|want|with|need|produce|create|show|draw|form|use|put|build|a|present)\b[^.?!]{0,60}\b(?:tables?|tabular|spreadsheet|matrix)\b/i.test(
      prompt,
    );
  if (table || columns.named) return { kind: 'table', columns: columns.names };
  if (BULLETS.test(prompt)) return { kind: 'bullets', columns: columns.names };
  if (parts > 0) return { kind: 'sections', columns: columns.names };
  return { kind: PROSE.test(prompt) ? 'prose' : null, columns: columns.names };
}

/** Without the part that only names columns. */
export function withoutColumns(prompt: string): string {
  return prompt.replace(COLUMNS, '');
}

function columnsIn(prompt: string): { names: string[]; named: boolean } {
  const named = COLUMNS.exec(prompt);
  const text = named === null ? WITH_THEIR.exec(prompt)?.[1] : (named[1] ?? named[2]);
  const names = (text ?? '')
    .split(/, (?:and )?|,| and | & |; /)
    .map((name) =>
      name
        .replace(/^(?:the|their|its|a|an|and|or)\s+/i, '')
        .replace(/["“”'`]/g, '')
        .trim(),
    )
    .filter((name) => name !== '' && name.length <= 80);
  return { names: [...new Set(names)].slice(0, COLUMNS_MAX), named: named !== null };
}
