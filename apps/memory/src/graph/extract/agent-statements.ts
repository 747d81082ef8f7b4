import { type EntityClass, isPerson, type NameSpan } from './names.ts';
import { classOfPhrase, subjectOf } from './phrases.ts';
import {
  ADVERB,
  AUX,
  type FoundStatement,
  nameAt,
  nameBefore,
  type Pattern,
  type ReadSentence,
  withName,
} from './sentence-pattern.ts';
import { textValue } from './values.ts';

const RELATION_OF_VERB: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
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
  }),
);
const PASSIVE = new RegExp(
  `^(.{2,90}?)\\s${AUX}${ADVERB}\\s(led|headed|run|managed|chaired|directed|founded|established|owned|acquired|bought|approved|signed|written|maintained|designed|built|supplied|audited|kept)\\sby\\s`,
  'd',
);

/** "The Platform team is led by Tomasz Wierzba." */
export const passiveAgent: Pattern = (sentence) => {
  const match = PASSIVE.exec(sentence.text);
  if (match === null) return [];
  const subject = subjectOf(match[1]!);
  const object = nameAt(sentence, match[0].length);
  if (subject === null || object === null) return [];
  const verb = match[2]!;
  return [
    withName(subject, classOfPhrase(subject, sentence.names), RELATION_OF_VERB.get(verb) ?? `${verb}_by`, object, 0.9),
  ];
};

const ACTIVE =
  /\s(?:has |have |had |now |also |still ){0,3}(led|leads|heads|headed|manages|managed|runs|chairs|founded|owns|acquired|bought)\s(?:the\s|our\s|a\s)?([^,.;:]{2,80}?)(?=\s(?:since|from|in|on|as|with|and|until|for|at|which|after|when|who|but|under)\b|[,.;:]|$)/dg;
const ACTIVE_RELATION: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
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
  }),
);

/** "Ines Carvalhal has led the Platform team since 1 June 2025." */
export const activeAgent: Pattern = (sentence) =>
  [...sentence.text.matchAll(ACTIVE)].flatMap((match) => {
    const agent = nameBefore(sentence, match.index);
    const subject = subjectOf(match[2]!);
    if (agent === null || subject === null || !/\p{Lu}|team|department|desk|service/u.test(subject)) return [];
    if (/^\d|^(?:team|department|project|work|company)$/i.test(subject)) return [];
    return [withName(subject, classOfPhrase(subject, sentence.names), ACTIVE_RELATION.get(match[1]!)!, agent, 0.85)];
  });

const REPORTS = /\sreports?(?:\s(?:now|directly))?(?:\sdirectly)?\sto\s/g;
/** "She reports to …" names nobody; "Tomasz Wierzba … and reports to Piotr Zaremba" does. */
export const reportsTo: Pattern = (sentence) =>
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
export const placed: Pattern = (sentence) => {
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
export const employed: Pattern = (sentence) =>
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
export const roles: Pattern = (sentence) =>
  sentence.names.filter(isPerson).flatMap((name) => {
    const match = ROLE.exec(sentence.text.slice(name.end - sentence.start));
    if (match === null) return [];
    return roleStatements(name.text, name.class, match[1]!, 0.8);
  });

/** A role, and whom somebody with such a role leads. */
export function roleStatements(
  person: string,
  personClass: EntityClass,
  role: string,
  confidence: number,
): FoundStatement[] {
  const found: FoundStatement[] = [
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
