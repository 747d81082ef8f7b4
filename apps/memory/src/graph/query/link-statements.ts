import type { getEntityLinks, ResponseOf } from '@cairn/contracts';
import { splitSentences } from '@cairn/language';
import { CO_OCCURS } from '../extract/extraction.ts';
import { type LinkedPassage, type NamePair, directed } from '../store/pair-links.ts';

type LinkStatement = ResponseOf<typeof getEntityLinks>['passages'][number]['statements'][number];

/** The sentences of a passage that state the links of a pair, in the order in which they stand. */
export function statementsOf(row: LinkedPassage, body: string, pair: NamePair): LinkStatement[] {
  const statements = row.facts.map((fact): LinkStatement => ({
    ...directed(pair, fact.subject_no, fact.object_no, fact.relation),
    text: fact.quote,
    span: { start: fact.quote_start, end: fact.quote_end },
    fact_id: fact.fact_id,
  }));
  for (const [from, to, type, , start, end] of row.links) {
    const [source, target] = [row.names[from]!, row.names[to]!];
    if (start !== undefined && end !== undefined) {
      const link = directed(pair, source, target, type);
      statements.push({ ...link, text: body.slice(start, end), span: { start, end }, fact_id: null });
    } else if (type === CO_OCCURS) {
      const surfaces = [row.surfaces[from]!, row.surfaces[to]!];
      for (const { start: at, text } of splitSentences(body))
        if (surfaces.every((surface) => text.includes(surface))) {
          const span = { start: at, end: at + text.length };
          statements.push({ ...directed(pair, source, target, type), text, span, fact_id: null });
        }
    }
  }
  const order = (one: LinkStatement) => [one.span.start, one.span.end] as const;
  return statements.sort((a, b) => {
    const [[from, to], [otherFrom, otherTo]] = [order(a), order(b)];
    return from - otherFrom || to - otherTo || (a.type < b.type ? -1 : Number(a.type > b.type));
  });
}
