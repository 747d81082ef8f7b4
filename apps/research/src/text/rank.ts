/** Inverse document frequency of a word in `found` of `all` passages; never negative. */
export function inverseFrequency(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

/** Share of the smaller set that both contain. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const stem of small) if (large.has(stem)) shared += 1;
  return shared / small.size;
}
