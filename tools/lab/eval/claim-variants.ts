import { createReader, loadShippedModel, type Reading } from '@cairn/reading';

/** A passage as a source of an answer gives it. */
interface SourcePassage {
  title: string;
  text: string;
}

/** A sentence of a passage, with what was read of it; places are in the sentence. */
export interface ReadSentence {
  text: string;
  /** The one that follows it in its passage. */
  next: string | null;
  reading: Reading;
  passage: SourcePassage;
  /** Names of the passage that the sentence does not have. */
  otherNames: readonly { text: string; type: string }[];
}

/** Makes another sentence of one; null when the rule does not apply to it. */
export type Rule = (sentence: ReadSentence, pick: <T>(from: readonly T[]) => T) => string | null;

const SENTENCE_MIN_CHARS = 40;
const SENTENCE_MAX_CHARS = 260;
const PLACED = /^(?<rest>\p{Lu}[^,;:()]+?) (?<time>in (?:\p{Lu}\p{L}+ )?\d{4})\.$/u;
const FRONTED = /^(?<time>In (?:\p{Lu}\p{L}+ )?\d{4}), (?<rest>[^;:()]+)\.$/u;
const SUBJECT = /^(?:the|he|she|it|they|a|an|\p{Lu}\p{L}+)\s/u;
const PASSIVE =
  /^(?<object>\p{Lu}[^,;:()]{2,100}?) (?:is|was|were|are) (?:\p{Ll}+ly )?(?<verb>\p{Ll}+ed|built|made|held|won|led) by (?<subject>(?:the )?(?:\p{Ll}+ ){0,4}\p{Lu}[\p{L}'-]*(?: (?:(?:and|of) )?\p{Lu}[\p{L}.'-]*){0,6})(?<rest> (?:in|on|at|for|during|from) [^;:()]*)?\.$/u;
const BRACKETS = /\s\([^()]{3,80}\)/;
const ASIDE = /, (?:which|who|a|an|the) [^,;:()]{8,80},(?= \p{Ll})/u;
const AUXILIARY = / (?<word>is|was|are|were|can|could|will|would|has been|have been) (?!not\b)/u;
const DENIAL = / (?:is|was|are|were|can|could|will|would|does|do|did) (?<not>not )/u;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MONTH =
  /(?<!\p{L})(?:January|February|March|April|May|June|July|August|September|October|November|December)(?!\p{L})/u;
const YEAR = /(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)/;
const NUMBER = /(?<![\d.,\p{L}])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\d\p{L}]|[.,]\d)/u;

/** Units of one kind, of which another makes the figure wrong. */
const UNIT_GROUPS = [
  ['kilometres', 'miles', 'metres', 'feet', 'km', 'mi', 'ft', 'cm', 'mm', 'inches', 'yards'],
  ['kg', 'mg', 'g', 'tons', 'pounds', 'tonnes', 'grams'],
  ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years', 'ms'],
  ['%', ' percent', ' million'],
  ['euros', 'dollars', 'yen'],
];
/** Forms of one unit, of which none is wrong for another. */
const SAME_UNIT = [
  ['kilometres', 'km'],
  ['miles', 'mi'],
  ['feet', 'ft'],
  ['tons', 'tonnes'],
  ['g', 'grams'],
  ['%', ' percent'],
];
const UNIT =
  /(?<=\d[ -]?)(?:kilometres|kilometers|miles|metres|meters|feet|km|mi|ft|cm|mm|inches|yards|kg|mg|g|tons|pounds|tonnes|grams|seconds|minutes|hours|days|weeks|months|years|ms|%|euros|dollars|yen)(?![\p{L}\d])/u;
const SCALE_WORDS = ['thousand', 'million', 'billion', 'trillion'];
const SCALE = /(?<=\d )(?:thousand|million|billion|trillion)(?!\p{L})/u;

/** With the first unit of a sentence exchanged for another of its kind; null without one. */
function exchanged(
  text: string,
  form: RegExp,
  groups: readonly (readonly string[])[],
  pick: <T>(from: readonly T[]) => T,
): string | null {
  const found = form.exec(text);
  if (found === null) return null;
  const named = found[0].replace('meter', 'metre');
  const group = groups.find((one) => one.includes(named));
  const isSame = (other: string) => SAME_UNIT.some((forms) => forms.includes(named) && forms.includes(other));
  const others = group?.filter((other) => other !== named && !isSame(other));
  return others === undefined
    ? null
    : text.slice(0, found.index) + pick(others) + text.slice(found.index + found[0].length);
}

/** The sentences of passages that are worth saying again. */
export function readSentences(passages: readonly SourcePassage[]): ReadSentence[] {
  const reader = createReader(loadShippedModel());
  return passages.flatMap((passage) => {
    const whole = reader.read(passage.text);
    const texts = whole.sentences.map(({ start, end }) => passage.text.slice(start, end).replace(/\s+/g, ' ').trim());
    return texts.flatMap((text, index): ReadSentence[] => {
      if (text.length < SENTENCE_MIN_CHARS || text.length > SENTENCE_MAX_CHARS || !/^\p{Lu}.*\.$/u.test(text))
        return [];
      const otherNames = whole.names.filter((name) => !text.includes(name.text) && /^\p{Lu}/u.test(name.text));
      const next = texts[index + 1] ?? null;
      return [{ text, next, reading: reader.read(text, { links: true }), passage, otherNames }];
    });
  });
}

/** Rules that keep what a sentence says. */
export function faithfulRules(synonymOf: (word: string) => string | null): Readonly<Record<string, Rule>> {
  return {
    synonym: ({ text }, pick) => {
      const words = [...text.matchAll(/(?<=\s)\p{Ll}{4,}(?=[\s,.])/gu)].flatMap((match) => {
        const other = synonymOf(match[0]);
        return other === null ? [] : [{ at: match.index, word: match[0], other }];
      });
      if (words.length === 0) return null;
      const { at, word, other } = pick(words);
      return text.slice(0, at) + other + text.slice(at + word.length);
    },
    voice: ({ text }) => {
      const { object, verb, subject, rest = '' } = PASSIVE.exec(text)?.groups ?? {};
      if (object === undefined) return null;
      return `${capital(subject!)} ${verb} ${small(object)}${rest}.`;
    },
    order: ({ text }) => {
      const placed = PLACED.exec(text)?.groups;
      if (placed !== undefined) return `${capital(placed['time']!)}, ${small(placed['rest']!)}.`;
      const fronted = FRONTED.exec(text)?.groups;
      return fronted === undefined || !SUBJECT.test(fronted['rest']!)
        ? null
        : `${capital(fronted['rest']!)} ${small(fronted['time']!)}.`;
    },
    join: ({ text, next }) =>
      next === null || next.length > SENTENCE_MAX_CHARS || !/^\p{Lu}.*\.$/u.test(next)
        ? null
        : `${text.slice(0, -1)}, and ${small(next)}`,
    omission: ({ text }) => {
      const shorter = text.replace(BRACKETS, '').replace(ASIDE, '');
      return shorter === text ? null : shorter;
    },
  };
}

/** Rules that make a sentence say something else. */
export const MEANING_CHANGES: Readonly<Record<string, Rule>> = {
  number: ({ text, passage }, pick) => {
    const said = NUMBER.exec(text);
    if (said === null || YEAR.test(said[0])) return null;
    const others = [...passage.text.matchAll(new RegExp(NUMBER, 'gu'))].map(([other]) => other);
    const foreign = others.filter((other) => !text.includes(other) && !YEAR.test(other));
    const other =
      foreign.length > 0 ? pick(foreign) : String(Number(said[0].replaceAll(',', '')) + pick([1, 2, 5, 10]));
    return text.slice(0, said.index) + other + text.slice(said.index + said[0].length);
  },
  unit: ({ text }, pick) => exchanged(text, UNIT, UNIT_GROUPS, pick),
  scale: ({ text }, pick) => exchanged(text, SCALE, [SCALE_WORDS], pick),
  negation: ({ text }) => {
    const denied = DENIAL.exec(text);
    if (denied !== null) return text.replace(denied[0], denied[0].replace('not ', ''));
    return AUXILIARY.test(text)
      ? text.replace(AUXILIARY, (said) => ` ${said.trim().replace(/^(\w+)/, '$1 not')} `)
      : null;
  },
  role: ({ text, reading }) => {
    const names = reading.names.map(({ text: name }) => name);
    const isNamed = (phrase: string) =>
      names.some((name) => phrase === name || phrase === `the ${name}` || phrase === `The ${name}`);
    for (const { subject, object, negated } of reading.relations) {
      if (negated || !isNamed(subject.text) || !isNamed(object.text) || /\bborn|alongside|with\b/.test(text)) continue;
      const [first, second] = subject.start < object.start ? [subject, object] : [object, subject];
      // Members of one enumeration may change places.
      if (object.type === 'demonym' || !/(?<!\p{L})\p{Ll}{4,}/u.test(text.slice(first.end, second.start))) continue;
      return `${text.slice(0, first.start)}${text.slice(second.start, second.end)}${text.slice(first.end, second.start)}${text.slice(first.start, first.end)}${text.slice(second.end)}`;
    }
    return null;
  },
  date: ({ text, passage }, pick) => {
    const month = MONTH.exec(text);
    if (month !== null && pick([true, false]))
      return text.replace(month[0], pick(MONTHS.filter((one) => one !== month[0])));
    const year = YEAR.exec(text);
    if (year === null) return null;
    const others = [...passage.text.matchAll(new RegExp(YEAR, 'g'))].map(([other]) => other);
    const foreign = others.filter((other) => !text.includes(other));
    return text.replace(year[0], foreign.length > 0 ? pick(foreign) : String(Number(year[0]) + pick([1, 3, 10])));
  },
  entity: ({ text, reading, otherNames }, pick) => {
    const known = reading.names.flatMap((name) => {
      const others = otherNames.filter(
        ({ text: other, type }) => type === name.type && !other.includes(name.text) && !name.text.includes(other),
      );
      return others.length > 0 && name.end - name.start >= 4 ? [{ name, others }] : [];
    });
    if (known.length === 0) return null;
    const { name, others } = pick(known);
    return text.slice(0, name.start) + pick(others).text + text.slice(name.end);
  },
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Without the capital of a sentence's beginning, where the word is none that has one of its own. */
function small(text: string): string {
  return text.replace(/^(?:The|In|It|He|She|They|A|An|This|These|His|Her|Its|On|At|After|During|By|For)\b/, (word) =>
    word.toLowerCase(),
  );
}
