import type { Lexicon } from './learned/lexicon.ts';
import { type Link, linksOf } from './links/links.ts';
import type { ReadingModel } from './learned/model.ts';
import type { Name } from './names/name.ts';
import { NameReader } from './names/name-reader.ts';
import type { NameType } from './names/name-classifier.ts';
import { readRelations } from './relations/read-relations.ts';
import type { Relation } from './relations/relation.ts';
import { groupSentences, tokenize } from './text/tokens.ts';
import { SentenceParser } from './tree/sentence-parser.ts';

interface NamedSpan {
  text: string;
  type: NameType;
  /** By how much the type won the votes of its mentions, in thirtieths of log odds; below about 14 it is a guess. */
  margin: number;
  /** Whether the word written small is a common noun; false for names of several words. */
  isNoun: boolean;
  start: number;
  end: number;
}

/** What was read of a text. All places are UTF-16 offsets into it. */
export interface Reading {
  sentences: { start: number; end: number }[];
  names: NamedSpan[];
  relations: Relation[];
  /** Empty unless they are asked for. */
  links: Link[];
}

interface ReadOptions {
  /** Open relations as well. */
  links?: boolean;
}

export interface Reader {
  read(text: string, options?: ReadOptions): Reading;
}

/**
 * A reader of English text. Reading is synchronous and depends on the text alone; a reader keeps the forms it has met,
 * so one is made for a thread, not for a text.
 */
export function createReader(model: ReadingModel): Reader {
  const parser = new SentenceParser(model);
  const nameReader = new NameReader(model);
  return {
    read(text, { links = false } = {}) {
      const parsed = groupSentences(text, tokenize(text)).map((tokens) => parser.parse(tokens));
      const names = nameReader.read(text, parsed);
      return {
        sentences: parsed.map(({ start, end }) => ({ start, end })),
        names: names.flat().map((name) => spanOf(name, model.lexicon)),
        relations: readRelations(text, parsed, names, model.lexicon),
        links: links ? parsed.flatMap((sentence) => linksOf(text, sentence)) : [],
      };
    },
  };
}

function spanOf({ text, type, margin, start, end }: Name, lexicon: Lexicon): NamedSpan {
  return { text, type, margin, isNoun: lexicon.nounKind(text.toLowerCase()) !== '', start, end };
}
