/** Times as many cases, for a night: `SPEC_DEPTH=20 npx nx run-many -t test`. */
const DEPTH = Number(process.env['SPEC_DEPTH'] ?? 1);

/** How many cases a spec tries, random or not: those of every check, or as many times more as was asked for. */
export function specCases(count: number): number {
  return Math.ceil(count * DEPTH);
}
