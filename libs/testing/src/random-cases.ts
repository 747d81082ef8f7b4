/** Times as many random cases, for a night: `SPEC_DEPTH=20 npx nx run-many -t test`. */
const DEPTH = Number(process.env['SPEC_DEPTH'] ?? 1);

/** How many random cases a property is tried with: those of every check, or as many times more as was asked for. */
export function randomCases(count: number): number {
  return Math.ceil(count * DEPTH);
}
