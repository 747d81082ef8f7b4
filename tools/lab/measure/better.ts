/** Work done in a time. What takes a part of each second is none: "ms of processor a second". */
const RATE = /\/s\b|^(?!.*\b(?:ms|µs)\b).*\b(?:a|per) second\b/i;
/** Less of these is better: times, sizes and what went wrong. */
const LESS_IS_BETTER =
  /(?:^|[\s(:,])(?:ms|µs|s|seconds|bytes|kib|mib|mb|gb|kb)\b|\b(?:bytes|cpu|elapsed|took|p50|p95|p99|lost|failed|wrong|false|timed out)\b/i;
/** More of these is better. */
const QUALITY = /\b(?:ndcg|mrr|precision|recall|accuracy|f1|auc|auroc|right(?! after)|found|kept|share)\b/i;

/** Whether more or less is better in a column, by its heading; null when that says neither. */
export function betterIn(column: string): 'more' | 'less' | null {
  if (RATE.test(column)) return 'more';
  if (LESS_IS_BETTER.test(column)) return 'less';
  return QUALITY.test(column) ? 'more' : null;
}
