import { classOfPhrase, subjectOf, verbStem } from './phrases.ts';
import { relationName } from './relations.ts';
import { ADVERB, AUX, named, type Pattern, withValue } from './sentence-pattern.ts';
import { readDate, readValue, textValue } from './values.ts';

const ATTRIBUTE =
  /^(?:.{0,60}?[,:]\s)?(?:the\s|our\s|an?\s|its\s|every\s|each\s)?((?:[\p{Ll}\d-]+\s){0,3}[\p{Ll}-]+)\s(?:of|for|in)\s(.{2,80}?)\s(?:is|was|are|were|amounts to|equals|stands at|remains|will be)\s(?:now\s|currently\s|still\s|set to\s|set at\s)?/diu;
const POSSESSED =
  /^(?:.{0,60}?[,:]\s)?(.{2,60}?)['’]s\s((?:[\p{Ll}-]+\s){0,3}[\p{Ll}-]+)\s(?:is|was|are|were|amounts to)\s(?:now\s|currently\s)?/diu;
const HAS = /^(.{2,80}?)\s(?:has|have|had)\s(?:an?\s|the\s)((?:[\p{Ll}-]+\s){0,3}[\p{Ll}-]+)\sof\s/diu;
/** "The list price of the Rime Tag R2 is €34.50", "Cairo's population is …", "The probe has a range of …". */
export const attribute: Pattern = (sentence) => {
  for (const [pattern, subjectAt, labelAt] of [
    [ATTRIBUTE, 2, 1],
    [POSSESSED, 1, 2],
    [HAS, 1, 2],
  ] as const) {
    const match = pattern.exec(sentence.text);
    if (match === null) continue;
    const subject = subjectOf(match[subjectAt]!);
    const label = subjectOf(match[labelAt]!);
    if (subject === null || label === null) continue;
    const at = match[0].length;
    const read = readValue(sentence.text.slice(at));
    if (read !== null) return [withValue(subject, sentence.names, relationName(label), read, 0.9)];
  }
  return [];
};

const KEPT = new RegExp(
  `^(.{2,90}?)\\s${AUX}${ADVERB}\\s(?:kept|retained|stored|held|archived|saved|preserved)${ADVERB}\\sfor\\s`,
  'id',
);
const ERASED = new RegExp(
  `^(.{2,90}?)\\s${AUX}${ADVERB}\\s(?:deleted|erased|removed|destroyed|purged|discarded|wiped|shredded)${ADVERB}\\safter\\s`,
  'id',
);
const EXPIRES = /^(.{2,90}?)\s(?:expires?|lapses?|(?:is|are)\svalid(?:\sfor)?|ends?)\s(?:after\s|for\s)/di;
export const retention: Pattern = (sentence) => {
  const kept = KEPT.exec(sentence.text) ?? ERASED.exec(sentence.text);
  const match = kept ?? EXPIRES.exec(sentence.text);
  if (match === null) return [];
  const subject = subjectOf(match[1]!);
  const read = readValue(sentence.text.slice(match[0].length));
  if (subject === null || read === null || read.value.kind !== 'duration') return [];
  return [withValue(subject, sentence.names, kept === null ? 'validity_period' : 'retention_period', read, 0.9)];
};

const WITHIN_ACTIVE =
  /(?<!\p{L})(\p{Ll}{3,40})\s((?:an?|the|every|each|all|any|our|their|his|her)\s.{2,60}?)\s(?:within|in less than)\s/diu;
const WITHIN_PASSIVE = new RegExp(
  `^(.{2,90}?)\\s${AUX}${ADVERB}\\s([\\p{Ll}]{3,}ed|answered|sent|paid|seen|read|given|built|met|made|done|begun|put)\\s(?:[^,;]{0,40}?\\s)?within\\s`,
  'iud',
);
/** "The engineer acknowledges a page within 15 minutes", "A loss must be reported within one hour". */
export const within: Pattern = (sentence) => {
  const passive = WITHIN_PASSIVE.exec(sentence.text);
  const active = passive === null ? WITHIN_ACTIVE.exec(sentence.text) : null;
  const match = passive ?? active;
  if (match === null) return [];
  const [phrase, verb] = passive === null ? [match[2]!, match[1]!] : [match[1]!, match[2]!];
  const subject = subjectOf(phrase);
  const read = readValue(sentence.text.slice(match.index + match[0].length));
  if (subject === null || read === null || read.value.kind !== 'duration') return [];
  return [withValue(subject, sentence.names, `${verbStem(verb)}_within`, read, 0.85)];
};

const EVENT_NOUN: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    launch: 'launch',
    launched: 'launch',
    launches: 'launch',
    release: 'launch',
    released: 'launch',
    opening: 'open',
    opened: 'open',
    opens: 'open',
    closed: 'close',
    closes: 'close',
    closing: 'close',
    starts: 'start',
    started: 'start',
    start: 'start',
    begins: 'start',
    began: 'start',
    ends: 'end',
    ended: 'end',
    end: 'end',
    move: 'move',
    moves: 'move',
    moved: 'move',
    relocates: 'move',
    removal: 'move',
    signed: 'sign',
    completed: 'complete',
    built: 'built',
    expires: 'expiry',
    due: 'due',
  }),
);
const EVENT = new RegExp(
  `^(.{2,80}?)\\s(?:(?:was|were|is|are|will be|has been|to be)\\s)?(launched|launches|released|opened|opens|closed|closes|starts|started|begins|began|ends|ended|moved|moves|relocates|signed|completed|built|expires|due)\\b(?:\\s(?:to|into|at|by|for|in|from|with)\\s[^,;]{1,50}?|\\sfor the first time)?\\s(?:on|in|at the end of|by)\\s`,
  'iud',
);
const HELD =
  /^(.{2,80}?)\s(?:takes|took|will take|is taking)\splace\s(?:[^,;]{1,40}?\s)?(?:on|in)\s|^(.{2,80}?)\s(?:is|was|are) (?:held|planned|scheduled|set)\s(?:for|on|in)\s/di;
/** "The Cryo Probe P4 launched on 12 May 2025", "The Konstanz office move takes place on 15 September 2025". */
export const dated: Pattern = (sentence) => {
  const match = EVENT.exec(sentence.text);
  const held = match === null ? HELD.exec(sentence.text) : null;
  const at = match ?? held;
  if (at === null) return [];
  const date = readDate(sentence.text.slice(at[0].length));
  let subject = subjectOf(at[1] ?? at[2]!);
  if (date === null || subject === null) return [];
  let event = match === null ? null : EVENT_NOUN.get(match[2]!.toLowerCase())!;
  if (event === null) {
    // The event is the last noun of what takes place.
    const words = subject.split(' ');
    const noun = EVENT_NOUN.get(words.at(-1)!.toLowerCase());
    if (noun !== undefined && words.length > 1) subject = words.slice(0, -1).join(' ');
    event = noun ?? 'event';
  }
  const text = sentence.text.slice(at[0].length, at[0].length + date.length);
  return [withValue(subject, sentence.names, `${event}_date`, { ...date, text }, 0.9)];
};

const COSTS =
  /^(.{2,80}?)\s(?:costs?|cost|is priced at|sells for|sell for)\s(?:the customer\s|customers\s|us\s|you\s|only\s)?/di;
export const costs: Pattern = (sentence) => {
  const match = COSTS.exec(sentence.text);
  if (match === null) return [];
  const subject = subjectOf(match[1]!);
  const read = readValue(sentence.text.slice(match[0].length));
  return subject === null || read === null || read.value.kind !== 'money'
    ? []
    : [withValue(subject, sentence.names, 'price', read, 0.85)];
};

const COUNTED =
  /^(.{2,60}?)\s(?:has|have|had|employs|employed|counts|contains|comprises)\s(?:a total of\s|about\s)?(?=\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)/di;
export const counted: Pattern = (sentence) => {
  const match = COUNTED.exec(sentence.text);
  if (match === null) return [];
  const subject = subjectOf(match[1]!);
  const read = readValue(sentence.text.slice(match[0].length));
  if (subject === null || read === null || read.value.kind !== 'quantity' || !/\p{Lu}/u.test(subject)) return [];
  const unit = read.value.unit;
  return unit === '' || unit === '%'
    ? []
    : [withValue(subject, sentence.names, `${relationName(unit)}_count`, read, 0.6)];
};

const POLAR =
  /^(.{2,80}?)\s(does not|do not|did not|cannot|can not|can|may not|may|must not|must|is not|are not|was not|is|are|was|no longer|never)?\s?(supports?|allows?|allowed|requires?|required|accepts?|accepted|includes?|included|permits?|permitted|covers?|covered|contains?|prohibits?|forbids?|needs?)\b\s?(.{0,60}?)[.,;]?$/di;
/** "The plan does not include telephone support": what is so, or not so. */
export const polar: Pattern = (sentence) => {
  const match = POLAR.exec(sentence.text);
  if (match === null || sentence.text.length > 140) return [];
  const subject = subjectOf(match[1]!);
  const object = match[4]!.trim() === '' ? '' : subjectOf(match[4]!);
  if (subject === null || object === null) return [];
  const negated = /not|never|no longer/i.test(match[2] ?? '');
  const name = named(sentence, sentence.text.length - match[4]!.length - 1, sentence.text.length);
  return [
    {
      subject,
      subjectClass: classOfPhrase(subject, sentence.names),
      relation: verbStem(match[3]!),
      text: object === '' ? match[3]! : object,
      value: textValue(object === '' ? match[3]! : object),
      objectClass: name?.class ?? null,
      negated,
      confidence: 0.6,
    },
  ];
};
