import { betterIn } from './better.ts';
import { type Figure, figuresOf } from './figures.ts';

export type Change = 'worse' | 'better' | 'other';

/** A figure that changed by more than the machine's noise. */
export interface Changed {
  page: string;
  before: Figure;
  now: Figure;
  /** Now by before. */
  ratio: number;
  change: Change;
}

export interface Compared {
  changed: Changed[];
  /** Figures that are in both versions of the sections that were measured again. */
  compared: number;
}

/** Times of two runs on one machine differ by so much without any change of the code. */
const NOISE = 1.1;
/** Compares two versions of a page, in the sections that were measured again: those that name another commit. */
export function compareVersions(page: string, before: string, now: string): Compared {
  const known = new Map(figuresOf(before).map((figure) => [figure.place, figure]));
  const changed: Changed[] = [];
  let compared = 0;
  for (const figure of figuresOf(now)) {
    const earlier = known.get(figure.place);
    if (earlier === undefined || earlier.commit === figure.commit) continue;
    compared++;
    if (earlier.value === figure.value) continue;
    const ratio = figure.value / earlier.value;
    if (ratio < NOISE && ratio > 1 / NOISE) continue;
    changed.push({ page, before: earlier, now: figure, ratio, change: changeOf(figure.column, ratio > 1) });
  }
  return { changed, compared };
}

function changeOf(column: string, isMore: boolean): Change {
  const better = betterIn(column);
  if (better === null) return 'other';
  return isMore === (better === 'more') ? 'better' : 'worse';
}
