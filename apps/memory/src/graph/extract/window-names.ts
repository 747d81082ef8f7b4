import { cutText } from '@cairn/language';
import type { Reader, Reading } from '@cairn/reading';
import { isCommon, wordKind } from '../../text/lexicon.ts';
import { normalForm } from '../names/normal-form.ts';
import { type EntityClass, type KeyClass, keyClassOf } from './entity-classes.ts';
import { hasCode, isCode, isCoded, type NameSpan } from './names.ts';
import type { WindowText } from './window-text.ts';

/** A name as the graph keeps it. */
interface GraphName {
  norm: string;
  class: KeyClass;
  surface: string;
}

/** What names mean throughout a window. */
export interface WindowNames {
  /** Null for what is too short to be distinguished from others. */
  resolve(surface: string, found: EntityClass): GraphName | null;
}

const SURFACE_MAX_CHARS = 200;
const NORM_MIN_CHARS = 2;
const WORD_MAX_CHARS = 40;
/** A type that won by less is a guess (the scores of libs/reading's names). */
const MARGIN_MIN = 28;
const LOWER_WORD = /(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}'’-]*/gu;

/** The names that the reader found, without capitalised words that the text writes small elsewhere. */
export function namesOfReading(read: Reading, { text }: WindowText): NameSpan[] {
  const small = new Set(text.match(LOWER_WORD));
  const begins = new Set(read.sentences.map(({ start }) => start));
  const found = withCodes(read.names, text).flatMap((name) => {
    // Rests of markup at its end are none of the name.
    const trimmed = name.text.replace(/(?<![\s|*_#>])[\s|*_#>]+$/u, '');
    return isNothing(trimmed) ? [] : [{ ...name, text: trimmed, end: name.start + trimmed.length }];
  });
  const surely = new Set(found.filter(({ start }) => !begins.has(start)).map((name) => name.text));
  return found
    .filter((name) => surely.has(name.text) || !isOrdinary(name, small))
    .map(({ text: name, start, end, type, margin }) => ({
      text: name,
      start,
      end,
      class: classOf(name, margin < MARGIN_MIN ? 'other' : type),
    }));
}

/** A word that only begins sentences: written small elsewhere, known as no name, or a noun that was guessed to be one. */
function isOrdinary({ text, margin, isNoun }: Named, small: ReadonlySet<string>): boolean {
  const lower = text.toLowerCase();
  return small.has(lower) || isCommon(lower) || (isNoun && margin < MARGIN_MIN);
}

const CAPITALISED = /(?:^|[\s(])(\p{Lu}[\p{L}\p{N}'’-]*)[ ]$/u;

type Named = Reading['names'][number];

/** "Bolt Reader B7": a code and the capitalised words before it are one name. */
function withCodes(names: readonly Named[], text: string): Named[] {
  const joined: Named[] = [];
  for (const name of names) {
    let { start } = name;
    if (isCoded(name.text))
      for (let word = wordBefore(text, start); word !== null; word = wordBefore(text, start)) start -= word.length + 1;
    while (joined.length > 0 && joined.at(-1)!.end > start) joined.pop();
    joined.push(start === name.start ? name : { ...name, start, text: text.slice(start, name.end), type: 'other' });
  }
  return joined;
}

/** The capitalised word right before a place, unless it is one of grammar. */
function wordBefore(text: string, at: number): string | null {
  const word = CAPITALISED.exec(text.slice(Math.max(0, at - WORD_MAX_CHARS), at))?.[1];
  if (word === undefined) return null;
  const kind = wordKind(word.toLowerCase());
  return kind === 'function' || kind === 'calendar' ? null : word;
}

/** Days and months, words like "About", and what has no letter. */
function isNothing(name: string): boolean {
  if (!/\p{L}/u.test(name) || name.includes('\n\n')) return true;
  return name.split(/\s+/).every((word) => {
    const kind = wordKind(word.toLowerCase());
    return kind === 'calendar' || kind === 'function';
  });
}

/** The class of a name that stands by itself. */
export function classByWords(name: string, reader: Reader): EntityClass {
  const [read, more] = reader.read(name).names;
  if (read === undefined || more !== undefined || read.text !== name || read.margin < MARGIN_MIN) return 'other';
  return classOf(name, read.type);
}

/** A name whose type the text does not tell is a code or a product by its form. */
function classOf(name: string, type: Reading['names'][number]['type']): EntityClass {
  if (name.includes(' ')) return hasCode(name) && type !== 'person' && type !== 'place' ? 'product' : type;
  return type === 'other' && isCode(name) ? 'code' : type;
}

/**
 * One class for each name by the votes of its mentions in prose, legal forms left aside; `cells` are names of tables,
 * whose classes are guesses. A family or given name alone means the one person of the window who is called so in full.
 */
export function createWindowNames(names: readonly NameSpan[], cells: readonly NameSpan[]): WindowNames {
  const votes = votesOf(names);
  for (const [norm, counts] of votesOf(cells)) if (!votes.has(norm)) votes.set(norm, counts);
  const classes = new Map([...votes].map(([norm, counts]) => [norm, mostVoted(counts)]));
  const full = fullNames([...names, ...cells], classes);
  return {
    resolve(surface, found) {
      const whole = full.get(surface.toLowerCase());
      const name = whole ?? { text: surface, class: found };
      const norm = normalForm(name.text);
      if (norm.length < NORM_MIN_CHARS) return null;
      const named = classes.get(norm) ?? 'other';
      return {
        norm,
        class: named === 'other' ? keyClassOf(name.class) : named,
        surface: cutText(name.text.replace(/\s+/g, ' '), SURFACE_MAX_CHARS),
      };
    },
  };
}

function votesOf(names: readonly NameSpan[]): Map<string, Map<KeyClass, number>> {
  const votes = new Map<string, Map<KeyClass, number>>();
  for (const name of names) {
    const norm = normalForm(name.text);
    const known = votes.get(norm) ?? new Map<KeyClass, number>();
    known.set(keyClassOf(name.class), (known.get(keyClassOf(name.class)) ?? 0) + 1);
    votes.set(norm, known);
  }
  return votes;
}

/** What is no more than "other" loses against any other class. */
function mostVoted(counts: ReadonlyMap<KeyClass, number>): KeyClass {
  const [first] = [...counts].sort(
    ([a, m], [b, n]) => Number(a === 'other') - Number(b === 'other') || n - m || (a < b ? -1 : 1),
  );
  return first![0];
}

function fullNames(names: readonly NameSpan[], classes: ReadonlyMap<string, KeyClass>): Map<string, NameSpan> {
  const full = new Map<string, NameSpan | null>();
  for (const name of names) {
    if (!name.text.includes(' ') || (classes.get(normalForm(name.text)) ?? name.class) !== 'person') continue;
    const words = name.text.toLowerCase().split(/\s+/);
    for (const word of [words[0]!, words.at(-1)!]) {
      const other = full.get(word);
      full.set(word, other === undefined || other?.text.toLowerCase() === name.text.toLowerCase() ? name : null);
    }
  }
  return new Map([...full].filter((entry): entry is [string, NameSpan] => entry[1] !== null));
}
