import type { Sentence } from '../../index/analysis/sentences.ts';
import { type EntityClass, isPerson, type NameSpan } from './names.ts';
import { classOfPhrase, subjectOf, verbStem } from './phrases.ts';
import { relationName } from './relations.ts';
import type { Statement } from './statement.ts';
import { readDate, type ReadValue, readValue, textValue } from './values.ts';

/** A sentence with the names found in it; places are those of the chunk. */
export interface ReadSentence extends Sentence {
  names: readonly NameSpan[];
}

type Found = Omit<Statement, 'start' | 'end' | 'validFrom' | 'validTo' | 'negated'> & { negated?: boolean };
type Pattern = (sentence: ReadSentence) => Found[];

/** Verb patterns of English: who leads, owns, founded, where, when, how much, how long, and what is not so. */
export function statementsOf(sentence: ReadSentence): Statement[] {
  const found: Found[] = [];
  for (const { needs, pattern } of PATTERNS) if (needs.test(sentence.text)) found.push(...pattern(sentence));
  if (found.length === 0) return [];
  const { from, to } = validityOf(sentence.text);
  return found.map((statement) => ({
    ...statement,
    negated: statement.negated ?? false,
    start: sentence.start,
    end: sentence.end,
    validFrom: statement.relation.endsWith('_date') ? null : from,
    validTo: statement.relation.endsWith('_date') ? null : to,
  }));
}

const SINCE = /\b(?:since|as of|from|with effect from|effective)\s+(?=\d|[A-Z])/g;
const UNTIL = /\b(?:until|till|up to and including)\s+(?=\d|[A-Z])/g;
const AS_OF = /\b(?:on|in|at the end of|by)\s+(?=\d{1,2}(?:st|nd|rd|th)?\s[A-Z]|[A-Z][a-z]+ \d{4}|\d{4}\b)/g;

function validityOf(text: string): { from: string | null; to: string | null } {
  const since = firstDate(text, SINCE);
  const until = firstDate(text, UNTIL);
  if (since !== null || until !== null) return { from: since?.from ?? null, to: until?.to ?? null };
  const at = firstDate(text, AS_OF);
  return { from: at?.from ?? null, to: null };
}

function firstDate(text: string, after: RegExp): { from: string; to: string } | null {
  for (const match of text.matchAll(after)) {
    const read = readDate(text.slice(match.index + match[0].length));
    if (read !== null && read.value.kind === 'date') return read.value;
  }
  return null;
}

const AUX = String.raw`(?:is|are|was|were|has been|have been|will be|must be|may be|can be|shall be|should be|being|get|gets)`;
const ADVERB = String.raw`(?:\s(?:now|also|currently|always|still|only|then|normally|usually|automatically|directly|jointly|again|first|finally|officially))*`;

function named(sentence: ReadSentence, from: number, to: number): NameSpan | null {
  const start = sentence.start + from;
  const end = sentence.start + to;
  return sentence.names.find((name) => name.start >= start && name.end <= end && name.class !== 'term') ?? null;
}

/** The first name right at `from`, after small words. */
function nameAt(sentence: ReadSentence, from: number): NameSpan | null {
  const rest = sentence.text.slice(from);
  const skip = /^(?:\s|the\s|our\s|a\s|an\s|Mr\.?\s|Ms\.?\s|Mrs\.?\s|Dr\.?\s)*/.exec(rest)![0].length;
  const start = sentence.start + from + skip;
  return sentence.names.find((name) => name.start === start || (name.start < start && name.end > start)) ?? null;
}

/** The last name before `to`, with nothing but white space between. */
function nameBefore(sentence: ReadSentence, to: number): NameSpan | null {
  const end = sentence.start + sentence.text.slice(0, to).trimEnd().length;
  return sentence.names.find((name) => name.end === end) ?? null;
}

function withValue(
  subject: string,
  names: readonly NameSpan[],
  relation: string,
  read: ReadValue,
  confidence: number,
): Found {
  return {
    subject,
    subjectClass: classOfPhrase(subject, names),
    relation,
    text: read.text,
    value: read.value,
    objectClass: null,
    confidence,
  };
}

function withName(
  subject: string,
  subjectClass: EntityClass,
  relation: string,
  object: NameSpan,
  confidence: number,
): Found {
  return {
    subject,
    subjectClass,
    relation,
    text: object.text,
    value: textValue(object.text),
    objectClass: object.class,
    confidence,
  };
}

const RELATION_OF_VERB: Readonly<Record<string, string>> = {
  led: 'led_by',
  headed: 'led_by',
  run: 'led_by',
  managed: 'led_by',
  chaired: 'led_by',
  directed: 'led_by',
  founded: 'founded_by',
  established: 'founded_by',
  owned: 'owned_by',
  acquired: 'owned_by',
  bought: 'owned_by',
};
const PASSIVE = new RegExp(
  `^(.{2,90}?)\\s${AUX}${ADVERB}\\s(led|headed|run|managed|chaired|directed|founded|established|owned|acquired|bought|approved|signed|written|maintained|designed|built|supplied|audited|kept)\\sby\\s`,
  'd',
);

/** "The Platform team is led by Tomasz Wierzba." */
const passiveAgent: Pattern = (sentence) => {
  const match = PASSIVE.exec(sentence.text);
  if (match === null) return [];
  const subject = subjectOf(match[1]!);
  const object = nameAt(sentence, match[0].length);
  if (subject === null || object === null) return [];
  const verb = match[2]!;
  return [
    withName(subject, classOfPhrase(subject, sentence.names), RELATION_OF_VERB[verb] ?? `${verb}_by`, object, 0.9),
  ];
};

const ACTIVE =
  /\s(?:has |have |had |now |also |still )*(led|leads|heads|headed|manages|managed|runs|chairs|founded|owns|acquired|bought)\s(?:the\s|our\s|a\s)?([^,.;:]{2,80}?)(?=\s(?:since|from|in|on|as|with|and|until|for|at|which|after|when|who|but|under)\b|[,.;:]|$)/dg;
const ACTIVE_RELATION: Readonly<Record<string, string>> = {
  led: 'led_by',
  leads: 'led_by',
  heads: 'led_by',
  headed: 'led_by',
  manages: 'led_by',
  managed: 'led_by',
  runs: 'led_by',
  chairs: 'led_by',
  founded: 'founded_by',
  owns: 'owned_by',
  acquired: 'owned_by',
  bought: 'owned_by',
};

/** "Ines Carvalhal has led the Platform team since 1 June 2025." */
const activeAgent: Pattern = (sentence) =>
  [...sentence.text.matchAll(ACTIVE)].flatMap((match) => {
    const agent = nameBefore(sentence, match.index);
    const subject = subjectOf(match[2]!);
    if (agent === null || subject === null || !/\p{Lu}|team|department|desk|service/u.test(subject)) return [];
    if (/^\d|^(?:team|department|project|work|company)$/i.test(subject)) return [];
    return [withName(subject, classOfPhrase(subject, sentence.names), ACTIVE_RELATION[match[1]!]!, agent, 0.85)];
  });

const REPORTS = /\sreports?(?:\s(?:now|directly))?(?:\sdirectly)?\sto\s/g;
/** "She reports to …" names nobody; "Tomasz Wierzba … and reports to Piotr Zaremba" does. */
const reportsTo: Pattern = (sentence) =>
  [...sentence.text.matchAll(REPORTS)].flatMap((match) => {
    const object = nameAt(sentence, match.index + match[0].length);
    const subject = nameBefore(sentence, match.index) ?? firstPerson(sentence, match.index);
    return object === null || subject === null || object.class === 'term'
      ? []
      : [withName(subject.text, subject.class, 'reports_to', object, 0.85)];
  });

function firstPerson(sentence: ReadSentence, before: number): NameSpan | null {
  const first = sentence.names[0];
  const people = sentence.names.filter((name) => isPerson(name) && name.end <= sentence.start + before);
  return first !== undefined && isPerson(first) && first.start === sentence.start && people.length === 1 ? first : null;
}

const PLACED = new RegExp(
  `^(.{2,80}?)\\s(?:(?:is|are|was|were)${ADVERB}\\s(based|located|situated|headquartered|housed)|(?:now\\s)?(lives|resides|works|worked|lived|sits))\\s(?:in|at|from)\\s(?:the\\s)?`,
  'd',
);
const PLACED_AFTER = /\band\s(?:now\s)?(lives|works)\s(?:in|at|from)\s(?:the\s)?/d;
/** "… works from the Rotterdam office", "… is based in Lyon". */
const placed: Pattern = (sentence) => {
  const whole = PLACED.exec(sentence.text);
  const direct = whole === null ? null : subjectOf(whole[1]!);
  const match = direct === null ? PLACED_AFTER.exec(sentence.text) : whole!;
  const first = sentence.names[0];
  const subject = direct ?? (first?.start === sentence.start ? first.text : null);
  if (match === null || subject === null) return [];
  const object = nameAt(sentence, match.index + match[0].length);
  if (object === null) return [];
  const verb = direct === null ? match[1]! : (match[3] ?? match[2]!);
  const subjectClass = classOfPhrase(subject, sentence.names);
  const working = /^(?:work|sits)/.test(verb) || (verb === 'based' && isPerson({ class: subjectClass }));
  if (working && object.class === 'organisation') return [withName(subject, subjectClass, 'works_for', object, 0.8)];
  const relation = working ? 'works_in' : /^(?:liv|resid)/.test(verb) ? 'lives_in' : 'located_in';
  const place = {
    ...object,
    text: object.text.replace(/\s(?:office|site|branch)$/i, ''),
    class: placeClass(object.class),
  };
  return [withName(subject, subjectClass, relation, place, 0.85)];
};

function placeClass(found: EntityClass): EntityClass {
  return found === 'term' || found === 'other' ? 'place' : found;
}

const EMPLOYED =
  /\s(?:works? for|worked for|is employed by|was employed by|joined|has joined|left|is a member of|belongs to)\s/g;
const employed: Pattern = (sentence) =>
  [...sentence.text.matchAll(EMPLOYED)].flatMap((match) => {
    const subject = nameBefore(sentence, match.index);
    const object = nameAt(sentence, match.index + match[0].length);
    if (subject === null || object === null || subject.class === 'term') return [];
    const relation = /member|belongs/.test(match[0]) ? 'member_of' : 'works_for';
    return [withName(subject.text, subject.class, relation, object, 0.75)];
  });

const ROLE =
  /^(?:\s?,\s|\s(?:is|was|became|remains|has been)\s)(?:(?:now|also)\s)?(?:the\s|our\s|an?\s)?((?:[\p{L}&-]+\s){0,4}?(?:[Hh]ead|[Dd]irector|[Oo]fficer|[Mm]anager|[Ee]ngineer|[Ll]ead|[Pp]resident|[Cc]hair(?:man|woman)?|[Ff]ounder|[Ee]xecutive|[Cc]ounsel|[Aa]nalyst|[Dd]eveloper|[Aa]rchitect|[Mm]inister|[Pp]rofessor|[Dd]esigner|[Ee]ditor|[Ss]ecretary|[Cc]onsultant|[Ss]cientist|[Oo]perator)(?:\s(?:of|for)\s(?:the\s)?(?:[\p{L}&-]+)(?:\s\p{Lu}[\p{L}&-]+)*)?)(?![\p{L}])/u;
/** "Jana Filipek, our data protection officer," and "Tomasz Wierzba became Principal Engineer". */
const roles: Pattern = (sentence) =>
  sentence.names.filter(isPerson).flatMap((name) => {
    const match = ROLE.exec(sentence.text.slice(name.end - sentence.start));
    if (match === null) return [];
    return roleStatements(name.text, name.class, match[1]!, 0.8);
  });

/** A role, and whom somebody with such a role leads. */
export function roleStatements(person: string, personClass: EntityClass, role: string, confidence: number): Found[] {
  const found: Found[] = [
    {
      subject: person,
      subjectClass: personClass,
      relation: 'has_role',
      text: role,
      value: textValue(role),
      objectClass: null,
      confidence,
    },
  ];
  const led =
    /^(?:[Hh]ead|[Dd]irector|[Ll]ead) of (.+)$/.exec(role)?.[1] ?? /^(.+?) (?:[Tt]eam )?Lead$/.exec(role)?.[1];
  if (led !== undefined && /^\p{Lu}/u.test(led))
    found.push({
      subject: led,
      subjectClass: 'other',
      relation: 'led_by',
      text: person,
      value: textValue(person),
      objectClass: 'person',
      confidence,
    });
  return found;
}

const ATTRIBUTE =
  /^(?:.{0,60}?[,:]\s)?(?:the\s|our\s|an?\s|its\s|every\s|each\s)?((?:[\p{Ll}\d-]+\s){0,3}[\p{Ll}-]+)\s(?:of|for|in)\s(.{2,80}?)\s(?:is|was|are|were|amounts to|equals|stands at|remains|will be)\s(?:now\s|currently\s|still\s|set to\s|set at\s)?/diu;
const POSSESSED =
  /^(?:.{0,60}?[,:]\s)?(.{2,60}?)['’]s\s((?:[\p{Ll}-]+\s){0,3}[\p{Ll}-]+)\s(?:is|was|are|were|amounts to)\s(?:now\s|currently\s)?/diu;
const HAS = /^(.{2,80}?)\s(?:has|have|had)\s(?:an?\s|the\s)((?:[\p{Ll}-]+\s){0,3}[\p{Ll}-]+)\sof\s/diu;
/** "The list price of the Rime Tag R2 is €34.50", "Cairo's population is …", "The probe has a range of …". */
const attribute: Pattern = (sentence) => {
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
    const object = nameAt(sentence, at);
    if (object !== null && object.class !== 'term')
      return [withName(subject, classOfPhrase(subject, sentence.names), relationName(label), object, 0.7)];
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
const retention: Pattern = (sentence) => {
  const kept = KEPT.exec(sentence.text) ?? ERASED.exec(sentence.text);
  const match = kept ?? EXPIRES.exec(sentence.text);
  if (match === null) return [];
  const subject = subjectOf(match[1]!);
  const read = readValue(sentence.text.slice(match[0].length));
  if (subject === null || read === null || read.value.kind !== 'duration') return [];
  return [withValue(subject, sentence.names, kept === null ? 'validity_period' : 'retention_period', read, 0.9)];
};

const WITHIN_ACTIVE =
  /\b([\p{Ll}]{3,}(?:s|ed)?)\s((?:an?|the|every|each|all|any|our|their|his|her)\s.{2,60}?)\s(?:within|in less than)\s/diu;
const WITHIN_PASSIVE = new RegExp(
  `^(.{2,90}?)\\s${AUX}${ADVERB}\\s([\\p{Ll}]{3,}ed|answered|sent|paid|seen|read|given|built|met|made|done|begun|put)\\s(?:[^,;]{0,40}?\\s)?within\\s`,
  'iud',
);
/** "The engineer acknowledges a page within 15 minutes", "A loss must be reported within one hour". */
const within: Pattern = (sentence) => {
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

const EVENT_NOUN: Readonly<Record<string, string>> = {
  launch: 'launch',
  launched: 'launch',
  launches: 'launch',
  release: 'release',
  released: 'release',
  opening: 'open',
  opened: 'open',
  opens: 'open',
  closed: 'close',
  closes: 'close',
  closing: 'close',
  founded: 'founded',
  established: 'founded',
  born: 'birth',
  died: 'death',
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
};
const EVENT = new RegExp(
  `^(.{2,80}?)\\s(?:(?:was|were|is|are|will be|has been|to be)\\s)?(launched|launches|released|opened|opens|closed|closes|founded|established|born|died|starts|started|begins|began|ends|ended|moved|moves|relocates|signed|completed|built|expires|due)\\b(?:\\s(?:to|into|at|by|for|in|from|with)\\s[^,;]{1,50}?|\\sfor the first time)?\\s(?:on|in|at the end of|by)\\s`,
  'iud',
);
const HELD =
  /^(.{2,80}?)\s(?:takes|took|will take|is taking)\splace\s(?:[^,;]{1,40}?\s)?(?:on|in)\s|^(.{2,80}?)\s(?:is|was|are) (?:held|planned|scheduled|set)\s(?:for|on|in)\s/di;
/** "The Cryo Probe P4 launched on 12 May 2025", "The Konstanz office move takes place on 15 September 2025". */
const dated: Pattern = (sentence) => {
  const match = EVENT.exec(sentence.text);
  const held = match === null ? HELD.exec(sentence.text) : null;
  const at = match ?? held;
  if (at === null) return [];
  const date = readDate(sentence.text.slice(at[0].length));
  let subject = subjectOf(at[1] ?? at[2]!);
  if (date === null || subject === null) return [];
  let event = match === null ? null : EVENT_NOUN[match[2]!.toLowerCase()]!;
  if (event === null) {
    // The event is the last noun of what takes place.
    const words = subject.split(' ');
    const noun = EVENT_NOUN[words.at(-1)!.toLowerCase()];
    if (noun !== undefined && words.length > 1) subject = words.slice(0, -1).join(' ');
    event = noun ?? 'event';
  }
  const text = sentence.text.slice(at[0].length, at[0].length + date.length);
  return [withValue(subject, sentence.names, `${event}_date`, { ...date, text }, 0.9)];
};

const COSTS =
  /^(.{2,80}?)\s(?:costs?|cost|is priced at|sells for|sell for)\s(?:the customer\s|customers\s|us\s|you\s|only\s)?/di;
const costs: Pattern = (sentence) => {
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
const counted: Pattern = (sentence) => {
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
  /^(.{2,80}?)\s(does not|do not|did not|cannot|can not|can|may not|may|must not|must|is not|are not|was not|is|are|was|no longer|never)?\s?(supports?|allows?|allowed|requires?|required|accepts?|accepted|includes?|included|permits?|permitted|covers?|covered|contains?|prohibits?|forbids?|needs?)\s?(.{0,60}?)[.,;]?$/di;
/** "The plan does not include telephone support": what is so, or not so. */
const polar: Pattern = (sentence) => {
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

const PATTERNS: readonly { needs: RegExp; pattern: Pattern }[] = [
  { needs: /\sby\s/, pattern: passiveAgent },
  { needs: /\b(?:led|leads|head(?:s|ed)|manage[sd]|runs|chairs|founded|owns|acquired|bought)\b/, pattern: activeAgent },
  { needs: /\sreports?\s/, pattern: reportsTo },
  {
    needs: /\b(?:based|located|situated|headquartered|housed|lives|resides|works|worked|lived|sits)\b/,
    pattern: placed,
  },
  { needs: /\b(?:for|by|joined|left|member|belongs)\b/, pattern: employed },
  {
    needs:
      /[Hh]ead|[Dd]irector|[Oo]fficer|[Mm]anager|[Ee]ngineer|[Ll]ead|[Pp]resident|[Cc]hair|[Ff]ounder|[Ee]xecutive|[Cc]ounsel|[Aa]nalyst|[Dd]eveloper|[Aa]rchitect|[Mm]inister|[Pp]rofessor|[Dd]esigner|[Ee]ditor|[Ss]ecretary|[Cc]onsultant|[Ss]cientist|[Oo]perator/,
    pattern: roles,
  },
  { needs: /\b(?:is|was|are|were|amounts|equals|stands|remains|will be|has|have|had)\b/, pattern: attribute },
  { needs: /\b(?:for|after)\s/, pattern: retention },
  { needs: /\b(?:within|in less than)\s/, pattern: within },
  { needs: /\d/, pattern: dated },
  { needs: /\bcosts?\b|priced|sells? for/, pattern: costs },
  { needs: /\b(?:has|have|had|employ|counts|contains|comprises)/, pattern: counted },
  { needs: /support|allow|requir|accept|includ|permit|cover|contain|prohibit|forbid|needs?\b/, pattern: polar },
];
