import { sanitizeProse } from '@cairn/prose';
import { analyseQuery } from '../../text/analyse.ts';
import type { CitedPassage, Passage } from './passage.ts';

const FOLLOWUPS_MAX = 3;

/**
 * Questions that the retrieved passages can answer and the answer did not: the sections that were found
 * but not cited, best first. Each names the section's own words, so that asking it finds the section.
 */
export function suggestFollowups(
  question: string,
  passages: readonly Passage[],
  cited: readonly CitedPassage[],
): string[] {
  const asked = new Set(analyseQuery(question));
  const used = new Set(cited.map(({ passage }) => passage.chunkId));
  const suggestions: string[] = [];
  for (const passage of passages) {
    if (suggestions.length === FOLLOWUPS_MAX) break;
    if (used.has(passage.chunkId)) continue;
    const parts = passage.titlePath.split(' › ');
    const section = sanitizeProse(parts.at(-1) ?? '');
    const document = sanitizeProse(parts[0] ?? passage.title);
    if (section === '' || analyseQuery(section).every((stem) => asked.has(stem))) continue;
    const suggestion =
      section === document ? `What does “${section}” say?` : `What does “${document}” say about “${section}”?`;
    if (!suggestions.includes(suggestion)) suggestions.push(suggestion);
  }
  return suggestions;
}
