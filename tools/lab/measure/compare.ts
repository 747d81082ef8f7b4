import { betterIn } from './better.ts';
import { type Figure, figuresOf } from './figures.ts';

export type Change = 'worse' | 'better' | 'other';

/** A figure that changed by more than the machine's noise. */
export interface FigureChange {
  page: string;
  before: Figure;
  now: Figure;
  /** Now by before; null when one of them is not above 0. */
  ratio: number | null;
  change: Change;
}

export interface VersionComparison {
  changed: FigureChange[];
  /** Figures that are in both versions of the sections that were measured again. */
  compared: number;
  /** Section → how many figures only one of its versions has: rows or columns came, went, or are called otherwise. */
  unmatched: Map<string, number>;
}

/** Times of two runs on one machine differ by so much without any change of the code. */
const NOISE = 1.1;
/** Shares of what is right do not. */
const SHARE_NOISE = 0.01;

/** Compares two versions of a page, in the sections that were measured again: those that name another commit. */
export function compareVersions(page: string, before: string, now: string): VersionComparison {
  const earlier = figuresOf(before);
  const later = figuresOf(now);
  const commits = new Map(later.map(({ section, commit }) => [section, commit]));
  const isAgain = ({ section, commit }: Figure) => commits.has(section) && commits.get(section) !== commit;
  const known = new Map(earlier.filter(isAgain).map((figure) => [figure.place, figure]));
  const again = new Set([...known.values()].map(({ section }) => section));
  const unmatched = new Map<string, number>();
  const count = (section: string) => unmatched.set(section, (unmatched.get(section) ?? 0) + 1);
  const changed: FigureChange[] = [];
  let compared = 0;
  for (const figure of later) {
    const was = known.get(figure.place);
    known.delete(figure.place);
    if (was === undefined) {
      if (again.has(figure.section)) count(figure.section);
      continue;
    }
    compared++;
    if (isNoise(was, figure)) continue;
    const ratio = was.value > 0 && figure.value > 0 ? figure.value / was.value : null;
    changed.push({ page, before: was, now: figure, ratio, change: changeOf(figure.column, figure.value > was.value) });
  }
  for (const { section } of known.values()) count(section);
  return { changed, compared, unmatched };
}

function isNoise({ value: before, column }: Figure, { value: now }: Figure): boolean {
  if (before === now) return true;
  if (before <= 0 || now <= 0) return false;
  const isShare = Math.max(before, now) <= 1 && betterIn(column) === 'more';
  return isShare ? Math.abs(now - before) < SHARE_NOISE : now / before < NOISE && before / now < NOISE;
}

function changeOf(column: string, isMore: boolean): Change {
  const better = betterIn(column);
  if (better === null) return 'other';
  return isMore === (better === 'more') ? 'better' : 'worse';
}
