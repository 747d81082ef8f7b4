/** More of these is better: rates and qualities. */
const MORE_IS_BETTER =
  /\/s\b|\ba second\b|per second|\b(?:ndcg|precision|recall|accuracy|f1|auroc|right|found|kept|share)\b/i;
/** Less of these is better: times, sizes and what went wrong. */
const LESS_IS_BETTER =
  /(?:^|[\s(:,])(?:ms|µs|s|seconds|bytes|kib|mib|mb|gb|kb)\b|\b(?:bytes|p50|p95|p99|lost|failed|wrong|false|timed out)\b/i;

/** Whether more or less is better in a column, by its heading; null when that says neither. */
export function betterIn(column: string): 'more' | 'less' | null {
  if (MORE_IS_BETTER.test(column)) return 'more';
  return LESS_IS_BETTER.test(column) ? 'less' : null;
}
