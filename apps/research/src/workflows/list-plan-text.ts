import { placesInWords } from './research.ts';

interface Listed {
  criteria: readonly { text: string }[];
  columns: readonly { name: string }[];
}

const WHO = {
  people: 'people of whom a source says',
  company: 'companies and other organisations of which a source says',
} as const;

/** What a list search is about to do, in words. */
export function listPlanText(
  listed: keyof typeof WHO,
  { criteria, columns }: Listed,
  { prompt, target, places }: { prompt: string; target: number | null; places: readonly string[] },
): string {
  const most = target === null ? '' : `up to ${target} `;
  const all = criteria.length === 1 ? 'this' : 'all of this';
  return [
    `Asked: ${prompt.trim()}`,
    '',
    `Listed: ${most}${WHO[listed]} ${all}, one row each:`,
    ...criteria.map(({ text }) => `- ${text}`),
    '',
    ...(columns.length === 0 ? [] : [`Told of each: ${columns.map(({ name }) => name).join(', ')}.`, '']),
    `Sources: ${placesInWords(places)}.`,
  ].join('\n');
}
