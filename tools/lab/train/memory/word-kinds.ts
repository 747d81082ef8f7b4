import nlp from 'compromise';
import type { WordKind } from '../../../../apps/memory/src/text/lexicon.ts';

const KIND_OF_TAG: ReadonlyMap<string, WordKind> = new Map(
  Object.entries<WordKind>({
    FemaleName: 'given',
    MaleName: 'given',
    FirstName: 'given',
    LastName: 'family',
    Person: 'family',
    City: 'place',
    Country: 'place',
    Region: 'place',
    Place: 'place',
    Organization: 'organisation',
    SportsTeam: 'organisation',
    Demonym: 'demonym',
    Honorific: 'honorific',
    WeekDay: 'calendar',
    Month: 'calendar',
    Actor: 'agent',
    Preposition: 'function',
    Conjunction: 'function',
    Determiner: 'function',
    Pronoun: 'function',
    Possessive: 'function',
    Modal: 'function',
    Copula: 'function',
    Negative: 'function',
    QuestionWord: 'function',
    Expression: 'function',
    Emoticon: 'function',
    Adverb: 'function',
    Condition: 'function',
    Reflexive: 'function',
  }),
);

/** The single words of compromise's lexicon by their kind, as `src/text/word-kinds.json` keeps them. */
export function wordsByKind(): Partial<Record<WordKind, string>> {
  const { one } = nlp.model() as unknown as { one: { lexicon: Record<string, string | string[]> } };
  const words = new Map<WordKind, string[]>();
  for (const [word, tags] of Object.entries(one.lexicon)) {
    if (word.includes(' ')) continue;
    const known = [tags].flat().map((tag) => KIND_OF_TAG.get(tag));
    const kind = known.find((each) => each !== undefined) ?? 'common';
    words.set(kind, [...(words.get(kind) ?? []), word]);
  }
  return Object.fromEntries([...words].map(([kind, all]) => [kind, all.join(' ')]));
}
