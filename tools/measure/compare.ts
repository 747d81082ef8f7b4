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
/** More of these is better: rates and qualities. */
const MORE_IS_BETTER =
  /\/s\b|\ba second\b|per second|\b(?:ndcg|precision|recall|accuracy|f1|auroc|right|found|kept|share)\b/i;
/** Less of these is better: times, sizes and what went wrong. */
const LESS_IS_BETTER =
  /(?:^|[\s(:,])(?:ms|µs|s|seconds|bytes|kib|mib|mb|gb|kb)\b|\b(?:bytes|p50|p95|p99|lost|failed|wrong|false|timed out)\b/i;

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
  if (MORE_IS_BETTER.test(column)) return isMore ? 'better' : 'worse';
  if (LESS_IS_BETTER.test(column)) return isMore ? 'worse' : 'better';
  return 'other';
}
