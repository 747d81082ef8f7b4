import type { SearchBody } from './run-search.ts';

/** Numbers citations from 1 without gaps, in the answer, in the list and where contradictions name them. */
export function renumbered(body: SearchBody): SearchBody {
  const numbers = new Map(body.citations.map(({ citation_id }, index) => [citation_id, String(index + 1)]));
  return {
    ...body,
    answer: body.answer.replace(/\[(\d{1,2})\]/g, (whole, id: string) => {
      const number = numbers.get(id);
      return number === undefined ? whole : `[${number}]`;
    }),
    citations: body.citations.map((citation, index) => ({ ...citation, citation_id: String(index + 1) })),
    contradictions: body.contradictions.map((one) => ({
      ...one,
      citation_ids: one.citation_ids.flatMap((id) => numbers.get(id) ?? []),
    })),
  };
}
