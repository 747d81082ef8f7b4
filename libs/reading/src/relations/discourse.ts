import { FEMALE, type Lexicon, MALE } from '../learned/lexicon.ts';
import type { Name } from '../names/name.ts';

export type Gender = 'male' | 'female';
const PERSONS_MAX = 200;

/** Who has been spoken of so far in a text, for pronouns and "the company". */
export class Discourse {
  private readonly lexicon: Lexicon;
  private readonly persons: Name[] = [];
  private person: Name | null = null;
  organisation: Name | null = null;
  /** Two who are said to be married, for "they", until somebody else is spoken of. */
  couple: readonly Name[] = [];
  /** The day of what was dated last, for "until then". */
  time: string | null = null;

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  fits(name: Name, gender: Gender): boolean {
    const end = name.key.indexOf(' ');
    const entry = this.lexicon.entry(end < 0 ? name.key : name.key.slice(0, end));
    const male = (entry & MALE) !== 0;
    const female = (entry & FEMALE) !== 0;
    return gender === 'male' ? !(female && !male) : !(male && !female);
  }

  /** The person whose full name the text has, for a first or last name alone. */
  inFull(name: Name): Name {
    if (name.full === null) return name;
    return this.persons.find((person) => person.key === name.full) ?? name;
  }

  personFor(gender: Gender): Name | null {
    if (this.person !== null && this.fits(this.person, gender)) return this.person;
    return this.persons.findLast((person) => this.fits(person, gender)) ?? this.person;
  }

  /** After a sentence: its subjects come first, then whoever is named. */
  note(names: readonly Name[], subjects: readonly Name[]): void {
    const named = names.filter(({ weak }) => !weak);
    for (const name of named)
      if (name.type === 'person' && name.to - name.from > 1 && this.persons.length < PERSONS_MAX)
        this.persons.push(name);
    const person =
      subjects.find(({ type }) => type === 'person') ??
      (this.person === null ? named.find(({ type }) => type === 'person') : undefined);
    if (person !== undefined) this.person = this.inFull(person);
    if (subjects.some((name) => name.type === 'person' && !this.couple.some(({ key }) => isPartOf(name.key, key))))
      this.couple = [];
    const organisation =
      subjects.find(({ type }) => type === 'organisation') ??
      (this.organisation === null ? named.find(({ type }) => type === 'organisation') : undefined);
    if (organisation !== undefined) this.organisation = organisation;
  }
}

/** "Berg" of "Anna Berg". */
function isPartOf(part: string, whole: string): boolean {
  return ` ${whole} `.includes(` ${part} `);
}
