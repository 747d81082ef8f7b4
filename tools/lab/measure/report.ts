import { table } from '../measurement/page.ts';
import type { Change, FigureChange, VersionComparison } from './compare.ts';

const TITLES: Readonly<Record<Change, string>> = {
  worse: 'Worse',
  better: 'Better',
  other: 'Changed, for better or worse',
};

/** The page that says what changed between two measurements. */
export function regressionPage(
  since: string,
  environment: string,
  { changed, compared, unmatched }: VersionComparison,
): string {
  const parts = (Object.keys(TITLES) as Change[]).map((change) => {
    const rows = changed.filter((each) => each.change === change).sort((a, b) => distance(b) - distance(a));
    if (rows.length === 0) return `## ${TITLES[change]}\n\nNothing.`;
    return `## ${TITLES[change]}\n\n${table(['page', 'what', 'column', 'before', 'now', 'now by before'], rows.map(rowOf))}`;
  });
  return [
    '# Changes of the measurements',
    '',
    `${environment}. Command: \`npm run measure\`. Compared with the pages of commit ${since}: the tables of the sections that were measured again since, ${compared.toLocaleString('en')} figures, of which ${changed.length.toLocaleString('en')} changed by more than a tenth (shares of what is right: by .01). Before and now are two runs at different times: a machine that was busier at one of them makes all of its times worse, so look at the peers of the same table before you blame the code.`,
    '',
    parts.join('\n\n'),
    '',
    unmatchedLine(unmatched),
    '',
  ].join('\n');
}

/** So that no figure vanishes unseen. */
function unmatchedLine(unmatched: ReadonlyMap<string, number>): string {
  if (unmatched.size === 0) return 'Every figure of these sections has its counterpart.';
  const sections = [...unmatched].map(([section, count]) => `${section} (${count})`).join(', ');
  return `Figures of these sections that only one of the two versions has, because a row or a column came, went, or is called otherwise: ${sections}.`;
}

function distance({ ratio }: FigureChange): number {
  return ratio === null ? Infinity : Math.abs(Math.log(ratio));
}

function rowOf({ page, before, now, ratio }: FigureChange): string[] {
  const column = now.part === 0 ? now.column : `${now.column} (number ${now.part + 1})`;
  return [
    `[${page.replace('.md', '')}](${page}), ${now.section}`,
    now.row,
    column,
    `${before.text} (${before.commit ?? '?'})`,
    `${now.text} (${now.commit ?? '?'})`,
    ratio?.toFixed(2) ?? '–',
  ];
}
