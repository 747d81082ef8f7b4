import { CITY, DEMONYM, type Lexicon, type NounKind, PLACE } from '../learned/lexicon.ts';
import type { Name } from '../names/name.ts';
import { type DateSpan, findDates } from '../text/dates.ts';
import type { ParsedSentence, Token } from '../tree/sentence.ts';
import type { Discourse, Gender } from './discourse.ts';
import type { Argument, Mention, Relation } from './relation.ts';
import { typesFit } from './signatures.ts';
import { NOMINALS, PART_NOUNS, isUnambiguousParty, TITLE_NOUNS } from '../vocabulary/word-classes.ts';

const MALE_PRONOUNS = new Set(['he', 'his', 'him', 'himself']);
const FEMALE_PRONOUNS = new Set(['she', 'her', 'herself', 'hers']);
const THING_PRONOUNS = new Set(['it', 'its', 'itself']);
const NEGATIONS = new Set(['not', "n't", 'n’t', 'never']);
/** Kinds of nouns that name undertakings: projects, programmes. */
const THINGS = new Set<NounKind>(['act', 'communication']);
const POSSESSIVES = new Set(['his', 'her']);
const LINKED = new Set(['appos', 'flat', 'compound', 'nmod:desc']);
const MODIFIERS_OF_NOMINALS = ['nmod', 'amod', 'acl', 'compound'];

export function isSubject(label: string): boolean {
  return label.startsWith('nsubj') || label.startsWith('csubj');
}

/** A sentence's tree with its names and dates, and questions about them. */
export class SentenceView {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly names: readonly Name[];
  readonly nameAt: (Name | null)[];
  readonly dates: readonly DateSpan[];
  readonly lexicon: Lexicon;
  readonly discourse: Discourse;
  readonly start: number;
  readonly end: number;
  readonly relations: Relation[] = [];
  private readonly dateAtToken: (DateSpan | null)[];
  private readonly said = new Map<string, Relation>();

  constructor(text: string, sentence: ParsedSentence, names: readonly Name[], lexicon: Lexicon, discourse: Discourse) {
    this.text = text;
    this.tokens = sentence.tokens;
    this.start = sentence.start;
    this.end = sentence.end;
    this.names = names;
    this.lexicon = lexicon;
    this.discourse = discourse;
    this.nameAt = Array.from(sentence.tokens, () => null);
    for (const name of names) this.nameAt.fill(name, name.from, name.to);
    this.dates = findDates(sentence.tokens, text);
    this.dateAtToken = Array.from(sentence.tokens, () => null);
    for (const date of this.dates) this.dateAtToken.fill(date, date.from, date.to);
  }

  lower(i: number): string {
    return this.tokens[i]?.lower ?? '';
  }

  form(i: number): string {
    return this.tokens[i]?.form ?? '';
  }

  tag(i: number): string {
    return this.tokens[i]?.tag ?? '';
  }

  kind(i: number): NounKind {
    return this.lexicon.nounKind(this.tokens[i]!.lemma);
  }

  isDemonym(i: number): boolean {
    return this.lexicon.has(this.lower(i), DEMONYM);
  }

  dateAt(i: number): DateSpan | null {
    return this.dateAtToken[i] ?? null;
  }

  /** Children with one of the labels. */
  kids(i: number, ...labels: string[]): number[] {
    return this.tokens[i]!.children.filter((k) => labels.includes(this.tokens[k]!.label));
  }

  hasKid(i: number, label: string): boolean {
    return this.tokens[i]!.children.some((k) => this.tokens[k]!.label === label);
  }

  subjectOf(i: number): number | undefined {
    return this.tokens[i]!.children.find((k) => isSubject(this.tokens[k]!.label));
  }

  /** The prepositions before a phrase, joined by blanks; '' when there is none. */
  preposition(i: number): string {
    let found = '';
    for (const k of this.tokens[i]!.children) {
      if (k >= i || this.tokens[k]!.label !== 'case') continue;
      found = found === '' ? this.tokens[k]!.lower : `${found} ${this.tokens[k]!.lower}`;
    }
    return found;
  }

  /** The head of a list and its other members. A clause in the list of a noun is no member. */
  listed(i: number): number[] {
    const members = [i];
    for (let at = 0; at < members.length; at++) {
      const head = this.tokens[members[at]!]!;
      for (const k of head.children) {
        const child = this.tokens[k]!;
        const isClause = (child.verb && !head.verb) || (this.hasKid(k, 'cop') && !this.hasKid(members[at]!, 'cop'));
        if (child.label === 'conj' && !isClause) members.push(k);
      }
    }
    return members;
  }

  negated(i: number): boolean {
    return this.tokens[i]!.children.some((k) => NEGATIONS.has(this.tokens[k]!.lower));
  }

  isPersonNoun(i: number): boolean {
    const { lemma } = this.tokens[i]!;
    return !PART_NOUNS.has(lemma) && (this.kind(i) === 'person' || TITLE_NOUNS.has(lemma));
  }

  mentionOf(name: Name, head = name.to - 1): Mention {
    const { text, type, start, end, from, to } = name;
    return { kind: 'name', text, type, start, end, head, from, to, name };
  }

  /** What the noun phrase with this head names, if it names anything. */
  mention(i: number): Mention | null {
    const token = this.tokens[i]!;
    const name = this.nameAt[i] ?? null;
    if (name !== null) return this.mentionOf(name, i);
    if (token.tag.startsWith('PRP')) return this.pronoun(token);
    if (token.tag.startsWith('W')) return null;
    for (const k of token.children) {
      const named = this.nameAt[k] ?? null;
      const child = this.tokens[k]!;
      if (named === null || k < i || named.from > i + 2 || !LINKED.has(child.label)) continue;
      if (this.preposition(k) === '') return this.mentionOf(named, k);
    }
    return this.unit(token) ?? this.nominal(token);
  }

  /** "the Finance team", "the Konstanz office": a thing of its own that is called by a name and its noun. */
  private unit({ index, end, noun, lemma }: Token): Mention | null {
    const name = index === 0 ? null : (this.nameAt[index - 1] ?? null);
    if (!noun || name === null || name.to !== index || name.type === 'person' || PART_NOUNS.has(lemma)) return null;
    const kind = this.kind(index);
    const things = THINGS.has(kind) && this.kids(index, 'det', 'nmod:poss').length > 0;
    if (kind !== 'organisation' && !things) return null;
    const text = this.text.slice(name.start, end);
    // "The Nordstern project" is Nordstern; what is called by a place is something else.
    if (things) return this.isPlaceName(name) ? null : this.mentionOf(name, index);
    const type = this.isPlaceName(name) ? 'place' : 'organisation';
    const whole: Name = { ...name, to: index + 1, end, text, key: text.toLowerCase(), type };
    return this.mentionOf(whole, index);
  }

  /** "The Lyon office" is in Lyon. */
  placeOfUnit(mention: Mention): Mention {
    const name = this.nameAt[mention.head] === null ? (this.nameAt[mention.head - 1] ?? null) : null;
    return name !== null && name.to === mention.head && this.isPlaceName(name) ? this.mentionOf(name) : mention;
  }

  private isPlaceName({ type, text }: Name): boolean {
    return type === 'place' || this.lexicon.has(text.toLowerCase(), CITY | PLACE);
  }

  private standIn(token: Token, kind: 'pronoun' | 'nominal', name: Name): Mention {
    const { index, start, end } = token;
    return { kind, text: name.text, type: name.type, start, end, head: index, from: index, to: index + 1, name };
  }

  private pronoun(token: Token): Mention | null {
    const male = MALE_PRONOUNS.has(token.lower);
    if (male || FEMALE_PRONOUNS.has(token.lower)) {
      const person = this.personBefore(token, male ? 'male' : 'female');
      return person === null ? null : this.standIn(token, 'pronoun', person);
    }
    const { organisation } = this.discourse;
    if (!THING_PRONOUNS.has(token.lower) || organisation === null) return null;
    return this.standIn(token, 'pronoun', organisation);
  }

  /** Whom "they" stands for: two of whom it was said that they are married. */
  couple(i: number): Mention[] {
    const token = this.tokens[i]!;
    if (token.lower !== 'they') return [];
    const married = this.relations.findLast(({ relation }) => relation === 'spouse');
    const names = married === undefined ? this.discourse.couple : namesOf(married);
    return names.map((name) => this.standIn(token, 'pronoun', name));
  }

  private nominal(token: Token): Mention | null {
    const { organisation } = this.discourse;
    if (organisation === null || !token.noun || !NOMINALS.has(token.lemma)) return null;
    if (!this.kids(token.index, 'det').some((k) => this.lower(k) === 'the' || this.lower(k) === 'this')) return null;
    const modified = token.children.some((k) =>
      MODIFIERS_OF_NOMINALS.some((label) => this.tokens[k]!.label.startsWith(label)),
    );
    return modified ? null : this.standIn(token, 'nominal', organisation);
  }

  private personBefore(token: Token, gender: Gender): Name | null {
    const before = this.names.filter(
      (name) => name.type === 'person' && name.to <= token.index && !name.weak && this.discourse.fits(name, gender),
    );
    const own =
      before.findLast((name) => this.isSubjectName(name)) ?? (POSSESSIVES.has(token.lower) ? before.at(-1) : undefined);
    return own === undefined ? this.discourse.personFor(gender) : this.discourse.inFull(own);
  }

  isSubjectName(name: Name): boolean {
    for (let k = name.from; k < name.to; k++) if (isSubject(this.tokens[k]!.label)) return true;
    return false;
  }

  /** The date that a phrase is or has beside it. */
  dateIn(i: number): DateSpan | null {
    const own = this.dateAt(i);
    if (own !== null || this.nameAt[i] !== null) return own;
    for (const k of this.tokens[i]!.children) {
      const { label } = this.tokens[k]!;
      if (label === 'case' || label === 'punct' || label === 'acl:relcl') continue;
      const date = this.dateAt(k);
      if (date !== null) return date;
    }
    return null;
  }

  /** "Oslo, Norway": the place and those that it lies in. */
  placesOf(i: number): Mention[] {
    const first = this.mention(i);
    const places: Mention[] = first?.kind === 'name' ? [first] : [];
    const add = (name: Name | null | undefined) => {
      if (name === null || name === undefined || name.type !== 'place') return;
      if (!places.some((place) => place.name === name)) places.push(this.mentionOf(name));
    };
    for (const k of this.tokens[i]!.children) {
      const { label } = this.tokens[k]!;
      const isOwn = label !== 'case' && label !== 'det' && !label.startsWith('acl');
      if (isOwn && this.preposition(k) !== 'to') add(this.nameAt[k]);
    }
    let end = first?.name?.to ?? -1;
    while (
      end > 0 &&
      this.form(end) === ',' &&
      this.nameAt[end + 1]?.from === end + 1 &&
      this.nameAt[end + 1]!.type === 'place'
    ) {
      add(this.nameAt[end + 1]);
      end = this.nameAt[end + 1]!.to;
    }
    return places;
  }

  /** Says a relation, once a sentence: what says nothing of its time is said again by what does. */
  add(subject: Argument, relation: string, object: Argument, extra: Partial<Relation> = {}): void {
    if (subject.text === '' || object.text === '' || subject.text === object.text) return;
    const belongs = relation === 'member_of' || relation === 'works_for';
    const name =
      belongs && subject.type === 'person' && isUnambiguousParty(object.text) ? 'political_affiliation' : relation;
    if (!typesFit(subject, name, object)) return;
    const key = `${subject.text}|${name}|${object.text}`;
    const said = this.said.get(key);
    if (said !== undefined) {
      if (Object.keys(said.validity).length === 0) said.validity = extra.validity ?? {};
      return;
    }
    const found: Relation = {
      subject,
      relation: name,
      object,
      negated: false,
      open: false,
      resolved: isStandIn(subject) || isStandIn(object),
      confidence: 0.8,
      validity: {},
      start: this.start,
      end: this.end,
      quote: this.text.slice(this.start, this.end),
      ...extra,
    };
    this.said.set(key, found);
    this.relations.push(found);
  }

  relates(subject: Argument, object: Argument): boolean {
    return this.relations.some(
      (relation) => relation.subject.text === subject.text && relation.object.text === object.text,
    );
  }

  words(from: number, to: number): Argument {
    const { start } = this.tokens[from]!;
    const { end } = this.tokens[to - 1]!;
    return { text: this.text.slice(start, end), type: null, start, end };
  }

  dateArgument({ text, start, end, value }: DateSpan): Argument {
    return { text, type: 'date', start, end, value };
  }
}

/** Both sides of a relation, if both are names or stand for some. */
export function namesOf({ subject, object }: Relation): Name[] {
  const names = [subject, object].flatMap((side) => (side as Partial<Mention>).name ?? []);
  return names.length === 2 ? names : [];
}

function isStandIn(argument: Argument): boolean {
  const { kind } = argument as Partial<Mention>;
  return kind === 'pronoun' || kind === 'nominal';
}

export function isPerson(argument: Argument): boolean {
  return argument.type === 'person';
}

export function mayBeOrganisation(argument: Argument): boolean {
  return argument.type === 'organisation' || argument.type === 'other';
}
