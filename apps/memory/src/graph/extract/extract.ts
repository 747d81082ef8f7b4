import { splitSentences } from '../../text/sentences.ts';
import { normalForm } from '../names/normal-form.ts';
import { type EntityClass, findNames, isPerson, type NameSpan } from './names.ts';
import type { Statement } from './statement.ts';
import { readStructured } from './tables.ts';
import { statementsOf } from './statements.ts';

/** Classes that tell homonyms apart; all others are one, and join the one that a name has. */
export const KEY_CLASSES = ['person', 'organisation', 'place', 'product', 'code', 'other'] as const;
export type KeyClass = (typeof KEY_CLASSES)[number];

/** What an entity is called, as far as one chunk says. */
export interface ExtractedName {
  norm: string;
  class: KeyClass;
  surface: string;
  count: number;
}

/** A link between two names, by their place in the list of names; `weight` in hundredths. */
export interface ExtractedEdge {
  source: number;
  target: number;
  type: string;
  weight: number;
}

/** A statement about a name of the list. */
export interface ExtractedFact extends Omit<Statement, 'subjectClass' | 'objectClass'> {
  subjectName: number;
  /** The name that the value is; null for a plain value. */
  objectName: number | null;
}

/** What one chunk says: names, links and facts. Depends on the chunk's text and titles alone. */
export interface Extraction {
  names: ExtractedName[];
  edges: ExtractedEdge[];
  facts: ExtractedFact[];
}

interface ExtractionInput {
  /** Titles from the document down to the section, joined by ` › `. */
  titlePath: string;
  body: string;
}

/** Rises when the same text is read otherwise, so that what was read before is read again. */
export const EXTRACTOR_VERSION = 2;
export const CO_OCCURS = 'co_occurs';
const CO_OCCURRENCE_WEIGHT = 10;
const NAMES_PER_SENTENCE_MAX = 8;
/** How many of the following names of a sentence a name is linked with. */
const NEIGHBOURS = 2;
const NAMES_MAX = 120;
const FACTS_MAX = 200;
const EDGES_MAX = 400;
const SENTENCE_MAX_CHARS = 600;
const TEXT_MAX_CHARS = 20_000;

/** Reads a chunk by rules: no model, no network, a few hundred microseconds a kilobyte. */
export function extractByRules(input: ExtractionInput): Extraction {
  const titles = input.titlePath === '' ? [] : withoutMasks(input.titlePath).split(' › ');
  const { text, placeOf } = stripMarkup(withoutMasks(input.body.slice(0, TEXT_MAX_CHARS)));
  const structured = readStructured(text, titles[0] ?? null);
  const prose = blank(text, structured.taken);
  const sentences = splitSentences(prose).filter((sentence) => sentence.text.length <= SENTENCE_MAX_CHARS);
  const names = findNames(prose);
  const statements = [...structured.statements];
  const groups: NameSpan[][] = groupsOfRows(structured.names);
  let at = 0;
  for (const sentence of sentences) {
    while (at < names.length && names[at]!.end <= sentence.start) at += 1;
    let end = at;
    while (end < names.length && names[end]!.start < sentence.end) end += 1;
    const inside = names.slice(at, end);
    if (inside.length > 1) groups.push(inside);
    statements.push(...statementsOf({ ...sentence, names: inside }));
  }
  const titled = titles.flatMap((title) => findNames(title).filter((name) => name.class !== 'term'));
  const read = { titled, names: [...structured.names, ...names], groups, statements };
  const { facts, ...said } = collect(read);
  return { ...said, facts: facts.map((fact) => ({ ...fact, ...placed(fact, placeOf) })) };
}

/** The place in the text as it was given, with the marks around it. */
function placed({ start, end }: ExtractedFact, placeOf: Stripped['placeOf']): Pick<ExtractedFact, 'start' | 'end'> {
  return { start: start === 0 ? 0 : placeOf(start - 1) + 1, end: placeOf(end) };
}

function groupsOfRows(names: readonly NameSpan[]): NameSpan[][] {
  return [...Map.groupBy(names, (name) => name.start).values()].filter((group) => group.length > 1);
}

/** What screening masked has no name: `[[EMAIL_1]]` is another address in every document. */
function withoutMasks(text: string): string {
  return text.replace(/\[\[\p{Lu}[\p{Lu}_]*_\d+\]\]/gu, (match) => ' '.repeat(match.length));
}

/** A text without Markdown's marks and addresses, and where its characters stood before. */
interface Stripped {
  text: string;
  placeOf(at: number): number;
}

const MARKS = /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[(?=[^[\]\n]*\])|\*\*|__|`|https?:\/\/\S+/g;

function stripMarkup(marked: string): Stripped {
  let text = '';
  let last = 0;
  /** Where in `text` something was left out, and how much until there. */
  const cuts: { at: number; left: number }[] = [];
  for (const match of marked.matchAll(MARKS)) {
    text += marked.slice(last, match.index);
    last = match.index + match[0].length;
    cuts.push({ at: text.length, left: last - text.length });
  }
  text += marked.slice(last);
  return { text, placeOf: (at) => at + (cuts.findLast((cut) => cut.at <= at)?.left ?? 0) };
}

function blank(text: string, taken: readonly { start: number; end: number }[]): string {
  let result = '';
  let last = 0;
  for (const { start, end } of taken) {
    result += text.slice(last, start) + ' '.repeat(end - start);
    last = end;
  }
  return result + text.slice(last);
}

interface Read {
  titled: readonly NameSpan[];
  names: readonly NameSpan[];
  groups: readonly (readonly NameSpan[])[];
  statements: readonly Statement[];
}

/** Puts together what was read, with one entry for each name. */
function collect(read: Read): Extraction {
  const names: ExtractedName[] = [];
  const known = new Map<string, number>();
  const full = fullNames([...read.titled, ...read.names]);
  const indexOf = (surface: string, found: EntityClass, count: number): number | null => {
    const whole = full.get(`${surface.toLowerCase()}`);
    const name = whole ?? { text: surface, class: found };
    const norm = normalForm(name.text);
    if (norm === '' || norm.length < 2) return null;
    const keyClass = keyClassOf(name.class);
    const key = `${keyClass} ${norm}`;
    let index = known.get(key);
    if (index === undefined) {
      if (names.length >= NAMES_MAX) return null;
      index =
        names.push({ norm, class: keyClass, surface: name.text.replace(/\s+/g, ' ').slice(0, 200), count: 0 }) - 1;
      known.set(key, index);
    }
    names[index]!.count += count;
    return index;
  };
  for (const name of read.titled) indexOf(name.text, name.class, 0);
  for (const name of read.names) indexOf(name.text, name.class, 1);
  const facts = factsOf(read, indexOf);
  return { names, edges: edgesOf(read, facts, indexOf), facts };
}

type IndexOf = (surface: string, found: EntityClass, count: number) => number | null;

function factsOf(read: Read, indexOf: IndexOf): ExtractedFact[] {
  const facts: ExtractedFact[] = [];
  for (const { subjectClass, objectClass, ...statement } of read.statements) {
    if (facts.length >= FACTS_MAX) break;
    const subjectName = indexOf(statement.subject, subjectClass, 0);
    const objectName = objectClass === null ? null : indexOf(statement.text, objectClass, 0);
    if (subjectName === null || subjectName === objectName) continue;
    facts.push({ ...statement, subjectName, objectName });
  }
  return facts;
}

function edgesOf(read: Read, facts: readonly ExtractedFact[], indexOf: IndexOf): ExtractedEdge[] {
  const weights = new Map<string, ExtractedEdge>();
  const add = (source: number, target: number, type: string, weight: number) => {
    const key = `${source} ${target} ${type}`;
    const edge = weights.get(key);
    if (edge !== undefined) edge.weight += weight;
    else if (weights.size < EDGES_MAX) weights.set(key, { source, target, type, weight });
  };
  for (const fact of facts) {
    if (fact.objectName === null || fact.negated) continue;
    add(fact.subjectName, fact.objectName, fact.relation, Math.round(fact.confidence * 100));
  }
  for (const group of read.groups) {
    const members = [
      ...new Set(group.slice(0, NAMES_PER_SENTENCE_MAX).map((name) => indexOf(name.text, name.class, 0))),
    ].filter((index) => index !== null);
    for (const [position, one] of members.entries())
      for (const other of members.slice(position + 1, position + 1 + NEIGHBOURS))
        add(Math.min(one, other), Math.max(one, other), CO_OCCURS, CO_OCCURRENCE_WEIGHT);
  }
  return [...weights.values()];
}

function keyClassOf(found: EntityClass): KeyClass {
  return (KEY_CLASSES as readonly string[]).includes(found) ? (found as KeyClass) : 'other';
}

/** A family or given name alone means the one person of the chunk who is called so in full. */
function fullNames(names: readonly NameSpan[]): Map<string, NameSpan> {
  const full = new Map<string, NameSpan | null>();
  for (const name of names) {
    if (!isPerson(name) || !name.text.includes(' ')) continue;
    const words = name.text.toLowerCase().split(/\s+/);
    for (const word of [words[0]!, words.at(-1)!]) {
      const other = full.get(word);
      full.set(word, other === undefined || other?.text.toLowerCase() === name.text.toLowerCase() ? name : null);
    }
  }
  return new Map([...full].filter((entry): entry is [string, NameSpan] => entry[1] !== null));
}
