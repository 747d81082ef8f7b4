import type { LearnedWeights } from '../../../../apps/memory/src/search/answer/learned-features.ts';

/** The file of the memory service that holds the weights. */
export function learnedSource({ spans, certainty, certaintyMin }: LearnedWeights): string {
  return `import type { LearnedWeights } from './learned-features.ts';

/** Written by \`node tools/lab/train/memory/main.ts <folder> --write\`; docs/measurements/search.md says on what. */
export const LEARNED: Readonly<LearnedWeights> = {
  spans: {
${linesOf(spans)}
  },
  certainty: {
${linesOf(certainty)}
  },
  certaintyMin: ${certaintyMin},
};
`;
}

function linesOf(weights: Readonly<Record<string, number>>): string {
  return Object.entries(weights)
    .map(([name, weight]) => `    ${name}: ${literal(weight)},`)
    .join('\n');
}

/** With the separators that the style asks for. */
function literal(weight: number): string {
  return weight.toLocaleString('en-US').replaceAll(',', '_');
}
