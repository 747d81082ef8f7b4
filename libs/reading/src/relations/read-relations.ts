import type { Lexicon } from '../learned/lexicon.ts';
import type { Name } from '../names/name.ts';
import type { ParsedSentence } from '../tree/sentence.ts';
import { Clauses } from './clauses.ts';
import { Discourse } from './discourse.ts';
import { NounReader } from './nouns.ts';
import type { Relation } from './relation.ts';
import { Roles } from './roles.ts';
import { VerbReader } from './verbs.ts';
import { isSubject, namesOf, SentenceView } from './view.ts';

/** The relations of a text's sentences in their order; a pronoun stands for what was named before it. */
export function readRelations(
  text: string,
  sentences: readonly ParsedSentence[],
  names: readonly Name[][],
  lexicon: Lexicon,
): Relation[] {
  const discourse = new Discourse(lexicon);
  return sentences.flatMap((sentence, i) => {
    const view = new SentenceView(text, sentence, names[i]!, lexicon, discourse);
    const clauses = new Clauses(view);
    const roles = new Roles(clauses);
    new VerbReader(clauses, roles).read();
    new NounReader(clauses, roles).read();
    const subjects = view.tokens.flatMap(({ label, index }) =>
      isSubject(label) && view.nameAt[index] !== null ? [view.nameAt[index]!] : [],
    );
    discourse.note(view.names, subjects);
    const married = view.relations.findLast(({ relation }) => relation === 'spouse');
    if (married !== undefined) discourse.couple = namesOf(married);
    return view.relations;
  });
}
