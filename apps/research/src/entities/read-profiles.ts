import { cutText } from '@cairn/language';
import type { Reading, Relation } from '@cairn/reading';
import { plainText, type Statement, statementsOf } from '@cairn/language';
import { attributesOf } from './attributes.ts';
import { bracketFacts, phraseFacts } from './sentence-facts.ts';
import { patternFacts } from './sentence-patterns.ts';
import { readClassPhrase } from './class-phrase.ts';
import { type Definition, definitionIn } from './definitions.ts';
import { type EntityKind, loadNouns } from './nouns.ts';
import { type Fact, type Profile, type ProfileSource, quoteOf } from './profile.ts';
import { shippedReader } from './shipped-reader.ts';
import { subjectNameIn } from './names.ts';
import {
  headingSubject,
  isPronoun,
  isWrittenAsName,
  namesSame,
  type Subject,
  titleSubject,
  tokensOf,
} from './subjects.ts';

const BODY_MAX_CHARS = 400_000;
const NAME_MAX = 200;
/** Of more entries of one text that share a word the first are compared. */
const SHARING_MAX = 20;
const OF_SUBJECT = 0.95;
const RELATED = 0.85;
/** Below this the type of a name is a guess. */
const MARGIN_MIN = 14;
/** Of somebody whom a text about another mentions. Alone it lists nobody. */
const IN_PASSING = 0.4;

interface Entry {
  subject: Subject;
  inPassing: boolean;
  /** Nothing is said of it. */
  isOnlyNamed: boolean;
  type: EntityKind | null;
  facts: Fact[];
  statements: Statement[];
}

interface Placed {
  statement: Statement;
  entry: Entry;
  /** The sentence says what the entry is, and has been read for that. */
  defines: boolean;
}

/**
 * Everybody and everything that a text says what they are, with what else it says about them. `everybody`: whoever else
 * it names, too.
 */
export function readProfiles(source: ProfileSource, { everybody = false }: { everybody?: boolean } = {}): Profile[] {
  const body = cutText(source.body, BODY_MAX_CHARS);
  const statements = statementsOf(body);
  const entries = new EntryBook(titleSubject(source.title, statements));
  const placed: Placed[] = [];
  let last: Entry | null = null;
  let heading = '';
  for (const [index, statement] of statements.entries()) {
    const under = headingSubject(statement.headings);
    if (statement.headings.join('›') !== heading) {
      heading = statement.headings.join('›');
      last = under === null ? null : entries.of(under.name, false);
    }
    const text = plainText(statement.text) === statement.text ? statement.text : plainText(statement.text);
    const definition = definitionIn(text);
    const entry = entryOf(entries, { definition, text }, last);
    if (entry === null) continue;
    last = entry;
    placed.push({ statement, entry, defines: definition !== null });
    entry.statements.push(statement);
    const quote = quoteOf(source, statement.start, statement.text);
    if (definition !== null) entry.facts.push(...phraseFacts(definition.phrase, quote, OF_SUBJECT));
    if (index === 0 || definition !== null) entry.facts.push(...bracketFacts(text, quote));
    const stated = patternFacts(text, quote, entry.subject.name);
    entry.facts.push(...stated.filter(({ kind }) => kind !== 'class' || definition === null));
  }
  const names = addRelations(source, body, entries, placed);
  if (everybody) addNamed(entries, names, statements);
  return entries.all().map((entry) => profileOf(source, entry));
}

/** Whom a sentence is about: by its definition, else by whom the sentence before it is about. */
function entryOf(
  entries: EntryBook,
  { definition, text }: { definition: Definition | null; text: string },
  last: Entry | null,
): Entry | null {
  const current = last ?? entries.main;
  const named = definition === null ? subjectNameIn(text) : null;
  if (named !== null && entries.main === null) return entries.of(named, false);
  if (definition === null || isPronoun(definition.subject)) return current;
  const { subject, aliases } = definition;
  const known = entries.find(subject) ?? aliases.map((alias) => entries.find(alias)).find((entry) => entry !== null);
  if (known !== undefined && known !== null) return known;
  if (!isWrittenAsName(subject)) return null;
  return entries.of(subject, entries.main !== null, aliases);
}

/** The entries of one text by their names. */
class EntryBook {
  readonly main: Entry | null;
  private readonly entries: Entry[] = [];
  private readonly byToken = new Map<string, Entry[]>();

  constructor(subject: Subject | null) {
    this.main = subject === null ? null : this.add(subject, false);
  }

  find(name: string): Entry | null {
    const sharing = tokensOf(name.slice(0, NAME_MAX)).flatMap((token) => this.byToken.get(token) ?? []);
    const same = ({ subject }: Entry) => [subject.name, ...subject.aliases].some((known) => namesSame(known, name));
    return sharing.find(same) ?? null;
  }

  of(name: string, inPassing: boolean, aliases: string[] = []): Entry {
    return this.find(name) ?? this.add({ name, aliases }, inPassing);
  }

  all(): Entry[] {
    return this.entries.filter(({ facts, isOnlyNamed }) => facts.length > 0 || isOnlyNamed);
  }

  private add(subject: Subject, inPassing: boolean): Entry {
    const entry = { subject, inPassing, isOnlyNamed: false, type: null, facts: [], statements: [] };
    this.entries.push(entry);
    for (const known of [subject.name, ...subject.aliases])
      for (const token of tokensOf(known)) {
        const sharing = this.byToken.get(token) ?? [];
        if (sharing.length < SHARING_MAX) this.byToken.set(token, [...sharing, entry]);
      }
    return entry;
  }
}

function addRelations(
  source: ProfileSource,
  body: string,
  entries: EntryBook,
  placed: readonly Placed[],
): Reading['names'] {
  const { names, relations } = shippedReader().reader.read(body);
  for (const relation of relations) {
    const { subject } = relation;
    const within = placedAt(placed, relation);
    const entry = entries.find(subject.text) ?? entryOfRelation(entries, relation) ?? within?.entry;
    if (entry === undefined || relation.negated) continue;
    if (entries.find(subject.text) === null && !namesSame(subject.text, entry.subject.name)) continue;
    const isClass = relation.relation === 'has_role' || relation.relation === 'is_a';
    if (isClass && within?.entry === entry && within.defines) continue;
    entry.facts.push(...factsOf(source, relation));
  }
  for (const { text, type, margin } of names) {
    const entry = entries.find(text);
    if (entry !== null && margin >= MARGIN_MIN && (type === 'person' || type === 'organisation')) entry.type ??= type;
  }
  return names;
}

/** Entries for those of whom the text says nothing but their name: "Present: Anna Berg and Carl Dahl". */
function addNamed(entries: EntryBook, names: Reading['names'], statements: readonly Statement[]): void {
  for (const { text, type, margin, isNoun, start } of names) {
    if ((type !== 'person' && type !== 'organisation') || margin < MARGIN_MIN || isNoun) continue;
    // A first or a last name alone may be anybody's.
    if (type === 'person' && !text.includes(' ')) continue;
    const entry = entries.of(text, true);
    entry.type ??= type;
    const statement = statements.findLast((one) => one.start <= start);
    if (entry.facts.length > 0 || statement === undefined || !statement.text.includes(text)) continue;
    entry.isOnlyNamed = true;
    if (entry.statements.length === 0) entry.statements.push(statement);
  }
}

/** The sentence that a relation was read from; they are in the order of the text. */
function placedAt(placed: readonly Placed[], { start, end }: Relation): Placed | undefined {
  let [from, to] = [0, placed.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (placed[middle]!.statement.start <= start) from = middle + 1;
    else to = middle;
  }
  const found = placed[from - 1];
  return found !== undefined && end <= found.statement.start + found.statement.text.length ? found : undefined;
}

/** A further entry for somebody whom a sentence says what they are. */
function entryOfRelation(entries: EntryBook, { subject, relation, open }: Relation): Entry | null {
  const isNamed = subject.type === 'person' || subject.type === 'organisation';
  const says = relation === 'has_role' || relation === 'is_a' || relation === 'works_for';
  if (!isNamed || !says || open || !isWrittenAsName(subject.text) || !subject.text.includes(' ')) return null;
  return entries.of(subject.text, entries.main !== null);
}

function factsOf(source: ProfileSource, relation: Relation): Fact[] {
  const { object, validity, quote: text, start, open } = relation;
  const quote = quoteOf(source, start, text);
  const current = validity.past !== true && validity.until === undefined;
  const confidence = open ? 0.6 : Math.min(RELATED, relation.confidence + 0.05);
  if (relation.relation === 'has_role' || relation.relation === 'is_a')
    return phraseFacts(object.text, quote, confidence).map((fact) => ({ ...fact, current: fact.current && current }));
  return attributesOf(relation.relation, open).map((kind) => ({
    kind,
    value: object.text,
    current,
    confidence,
    quote,
  }));
}

function profileOf(source: ProfileSource, entry: Entry): Profile {
  const { subject, inPassing, statements } = entry;
  const facts = inPassing
    ? entry.facts.map((fact) => ({ ...fact, confidence: Math.min(fact.confidence, IN_PASSING) }))
    : entry.facts;
  return {
    name: subject.name,
    aliases: subject.aliases,
    kind: kindOf(entry),
    facts,
    statements: statements.map(({ start, text }) => quoteOf(source, start, text)),
  };
}

/** Heads of what is neither a person nor an organisation, though its name may end like one's. */
const WORKS = new Set(
  'film album song single series novel book play game show episode video comic opera character soundtrack documentary event season list collection line brand trademark project building house'.split(
    ' ',
  ),
);
const WORK_KINDS = new Set([
  'communication',
  'event',
  'act',
  'cognition',
  'food',
  'plant',
  'animal',
  'substance',
  'time',
  'place',
]);

/** By what the first sentence calls it, then by its name. */
function kindOf({ facts, subject, type }: Entry): Profile['kind'] {
  const nouns = loadNouns();
  const phrases = facts
    .filter(({ kind }) => kind === 'class')
    .map(({ value }) => readClassPhrase(value).terms.map(({ head }) => head));
  const kinds = (heads: readonly string[]) =>
    heads.map((head) => nouns.kindOf(head)).find((kind) => kind !== null) ?? null;
  const first = phrases[0]?.at(-1);
  const called = kinds(phrases[0] ?? []);
  const last = first?.split(' ').at(-1) ?? '';
  const isWork = WORKS.has(last) || WORK_KINDS.has(shippedReader().lexicon.nounKind(last));
  if (first !== undefined && (WORKS.has(first) || (called === null && isWork))) return 'other';
  const ofName = nouns.kindOf(nouns.headOf(subject.name.toLowerCase().split(/\s+/)));
  if (ofName === 'organisation' && called !== 'organisation') return 'organisation';
  if (called !== null) return called;
  if (facts.some(({ kind }) => kind === 'birth_date' || kind === 'birth_place')) return 'person';
  return kinds(phrases.flat()) ?? type;
}
