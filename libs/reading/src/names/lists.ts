import type { Token } from '../tree/sentence.ts';

const SEPARATORS = new Set([',', ';', 'and', 'or', '&']);

/**
 * Names of one list ("Lekas, Mollaj and Voskop") are mostly of one type: the mean of their scores is added to each of
 * them. So are a town and its country, which a comma parts.
 */
export function shareInLists(
  tokens: readonly Token[],
  spans: readonly { from: number; to: number }[],
  scores: readonly Float32Array[],
): void {
  let first = 0;
  while (first < spans.length) {
    let end = first + 1;
    while (end < spans.length && isSeparated(tokens, spans[end - 1]!.to, spans[end]!.from)) end++;
    if (end - first > 1) addMean(scores.slice(first, end));
    first = end;
  }
}

function addMean(scores: readonly Float32Array[]): void {
  const mean = new Float32Array(scores[0]!.length);
  for (const own of scores) for (let c = 0; c < mean.length; c++) mean[c]! += own[c]! / scores.length;
  for (const own of scores) for (let c = 0; c < mean.length; c++) own[c]! += mean[c]!;
}

/** A comma, "and", or both, and nothing else. */
function isSeparated(tokens: readonly Token[], from: number, to: number): boolean {
  if (from === to || to - from > 2) return false;
  for (let i = from; i < to; i++) if (!SEPARATORS.has(tokens[i]!.form)) return false;
  return true;
}
