import type { ParsedSentence } from '../tree/sentence.ts';
import { IS, readLinks, wordsOf } from './read-links.ts';

/** A phrase of a link. `start` and `end` span its words, between which there may be others. */
interface LinkPhrase {
  text: string;
  start: number;
  end: number;
}

/** What a clause says in its own words. A link between phrases to look at, not a fact to rely on. */
export interface Link {
  subject: LinkPhrase;
  predicate: string;
  objects: LinkPhrase[];
  confidence: number;
  start: number;
  end: number;
  quote: string;
}

export function linksOf(text: string, sentence: ParsedSentence): Link[] {
  const { tokens, start, end } = sentence;
  const form = (i: number) => tokens[i]!.form;
  const phraseOf = (indices: readonly number[]): LinkPhrase => {
    const own = indices.filter((i) => i !== IS);
    return { text: wordsOf(indices, form), start: tokens[own[0]!]!.start, end: tokens[own.at(-1)!]!.end };
  };
  const quote = text.slice(start, end);
  return readLinks(tokens).flatMap(({ subject, predicate, objects, confidence }) => {
    const link = {
      subject: phraseOf(subject),
      predicate: wordsOf(predicate, form),
      objects: objects.map(phraseOf).filter((phrase) => phrase.text !== ''),
      confidence,
      start,
      end,
      quote,
    };
    return link.subject.text !== '' && link.predicate !== '' && link.objects.length > 0 ? [link] : [];
  });
}
