import { LANGUAGE_NAME_PATTERN, NUMBER_WORD_PATTERN, numberWord } from '@cairn/language';
import type { Attribute } from './attributes.ts';
import { CAPITALISED } from './names.ts';
import type { Fact, ProfileQuote } from './profile.ts';
import { SCHOOL } from './vocabulary.ts';

// The patterns below expect the output of `plainText`: white space is single blanks.
const LANGUAGE = `(?:${LANGUAGE_NAME_PATTERN})`;
const PAST =
  /\b(?:formerly|previously|former|used to|until \d{4}|was (?:an?|the)|before (?:that|joining|moving)|worked|had been|left|once)\b/i;
const DENIED = /\b(?:no|not|never|without|lacks?|doesn't|does not|neither|nor)\b/i;
const WANTED =
  /\b(?:wants? to|would like to|hopes? to|plans? to|is learning|learning|interested in learning|dreams? of)\b/i;
const DECADE_YEARS = 10;
const EXPERIENCE = new RegExp(
  String.raw`\b(\d{1,2}|(?!zero\b|one\b)(?:${NUMBER_WORD_PATTERN})|(?:a|one) decade)\+? ?(?:years?)?(?:['’]? of)? (?:\p{Ll}{1,30} ){0,3}experience\b`,
  'giu',
);

interface Pattern {
  kind: Attribute;
  pattern: RegExp;
  /** Whether the fact is current; by default the sentence decides. */
  current?: boolean;
  confidence: number;
}

const PLACE = String.raw`(?:the )?(?:(?:U\. ?S\. |\p{Lu}\p{Ll}{1,30} )?(?:state|city|town|village|province|county|island|suburb|district) of )?(${CAPITALISED})`;

const PATTERNS: readonly Pattern[] = [
  {
    kind: 'location',
    confidence: 0.95,
    current: true,
    pattern: new RegExp(
      String.raw`\b(?:based (?:in|at)|lives? in|living in|resides? in|located in|works? (?:from|out of)(?: the)?|headquartered in|headquarters (?:are )?in|moved to|relocated to|calls?) ${PLACE}`,
      'gu',
    ),
  },
  {
    kind: 'location',
    confidence: 0.95,
    current: true,
    pattern: new RegExp(String.raw`(?<![\p{L}\p{N}&.'’-])(${CAPITALISED})-based\b`, 'gu'),
  },
  {
    kind: 'location',
    confidence: 0.7,
    current: true,
    pattern: new RegExp(
      String.raw`\b(?:engineer|developer|manager|scientist|designer|analyst|director|lead|consultant|officer|specialist|architect|company|provider|maker|manufacturer|firm|start-?up|supplier)s? in (${CAPITALISED})`,
      'gu',
    ),
  },
  {
    kind: 'birth_place',
    confidence: 0.7,
    current: true,
    pattern: new RegExp(String.raw`\b(?:born|grew up|raised|childhood) in ${PLACE}`, 'gu'),
  },
  {
    kind: 'education',
    confidence: 0.95,
    pattern: new RegExp(
      String.raw`\b(?:studied|graduated|degree|educated|PhD|doctorate|diploma|MSc|BSc|MBA|alumn\w{1,20})\b[^.;]{0,160}?\b(?:at|from|of) (?:the )?(${CAPITALISED})`,
      'gu',
    ),
  },
  {
    kind: 'employees',
    confidence: 0.9,
    pattern:
      /\b(?:employs|has|with|team of|about|around|over|some) (?:about |around |over |some |more than )?(\d[\d.,]{0,20}) (?:people|employees|staff|workers)/giu,
  },
  {
    kind: 'founded',
    confidence: 0.95,
    pattern: /\b(?:founded|established|incorporated|started) in (?:\w{1,20} )?(\d{4})/giu,
  },
];

const ORGANISATION = new RegExp(String.raw`\b(?:at|for|with|joined|joins|by|left) (?:the )?(${CAPITALISED})`, 'gu');
const A_LANGUAGE = new RegExp(LANGUAGE);
const EACH_LANGUAGE = new RegExp(LANGUAGE, 'g');
const SPOKEN = new RegExp(
  String.raw`\b(?:speaks?|fluent in|spoken|native|languages?(?: are| include)?:?) ((?:(?: ?[,&])?[\p{Ll} ]{0,60}?${LANGUAGE}){1,40})`,
  'gu',
);

/** Facts that a sentence about `name` states by usual phrases. */
export function patternFacts(plain: string, quote: ProfileQuote, name: string): Fact[] {
  const facts: Fact[] = [];
  const add = (kind: Attribute, value: string, current: boolean, confidence: number) => {
    const bare = value
      .trim()
      .replace(/(?<![.,;:])[.,;:]+$/, '')
      .replace(/ (?:and|of|the)$/, '');
    if (bare !== '' && bare.length <= 120) facts.push({ kind, value: bare, current, confidence, quote });
  };
  // Clause by clause: "was with Siemens and now works for Bosch" states a past and a current fact.
  for (const raw of plain.split(/;|,? (?:but|and (?:now|currently|then|later)|before(?= (?:that|joining|moving))) /u)) {
    const clause = uncapitalised(raw, name);
    const past = PAST.test(clause) && !/\b(?:now|currently|today)\b/i.test(clause);
    if (DENIED.test(clause) || WANTED.test(clause)) continue;
    for (const { kind, pattern, current, confidence } of PATTERNS)
      for (const match of clause.matchAll(pattern)) add(kind, match[1]!, current ?? true, confidence);
    for (const match of clause.matchAll(ORGANISATION)) {
      if (SCHOOL.test(match[1]!) || A_LANGUAGE.test(match[1]!)) continue;
      if (
        !/\b(?:work\w*|employ\w*|joined|joins|left|position|role|engineer|developer|manager|lead\w*|head\w*|scientist|designer|analyst|director|consultant|officer|architect|years|spent|stint|specialist|accountant|nurse|lawyer|technician|researcher|recruiter|writer)\b/i.test(
          clause,
        )
      )
        continue;
      const before = past || match[0].startsWith('left');
      add(before ? 'former_employer' : 'employer', match[1]!, !before, 0.9);
    }
    for (const match of clause.matchAll(SPOKEN))
      for (const [language] of match[1]!.matchAll(EACH_LANGUAGE)) add('language', language, true, 0.95);
    for (const match of clause.matchAll(EXPERIENCE)) add('experience_years', yearsIn(match[1]!), true, 0.95);
    for (const match of clause.matchAll(/\bexperience:? (?:of )?(\d{1,2}) years/giu))
      add('experience_years', match[1]!, true, 0.95);
    const role = roleIn(clause, name);
    if (role !== null) add('class', role, !past, 0.9);
  }
  return facts;
}

function yearsIn(text: string): string {
  return String(/decade$/i.test(text) ? DECADE_YEARS : (numberWord(text) ?? text));
}

const VERBS =
  /^(?:Speaks|Holds|Works|Lives|Joined|Studied|Graduated|Fluent|Native|Based|Knows|Uses|Has|Brings|Leads|Resides)\b/;

/** A sentence without a subject begins with its verb or label, which is matched in lower case. */
function uncapitalised(clause: string, name: string): string {
  const first = /^\p{Lu}\p{Ll}+/u.exec(clause)?.[0];
  const isLabel =
    VERBS.test(clause) || /^\p{L}+(?: \p{Ll}+)?:|^\p{L}+ (?:in|at|from|as|for|with|of|by|to)\b/u.test(clause);
  if (first === undefined || !isLabel || name.split(' ').includes(first)) return clause;
  return clause[0]!.toLowerCase() + clause.slice(1);
}

const ROLE = String.raw`([\p{L} /&-]{1,120}?)(?= (?:at|in|for|with|based|who|and|from|of|on|since|specialising|specializing|working|living)\b|[,.;(]|$)`;
const IS_ROLE = new RegExp(
  String.raw`(?:,[^,]{0,200},)? (?:is|was|works as|worked as|serves as|acts as|became|has been) (?:now |currently )?(?:an?|the|our) ${ROLE}`,
  'uy',
);
const WORKS_AS = new RegExp(
  String.raw`\b(?:works|worked|working|joined|serves|employed|started)\b[^.]{0,160}?\bas (?:an? |the )?${ROLE}`,
  'u',
);
const APPOSITION = new RegExp(String.raw` ?(?:,|[—–-]) ?${ROLE}`, 'uy');

/** The role that a clause states. */
function roleIn(clause: string, name: string): string | null {
  const match =
    roleAfterSubject(clause, name) ??
    WORKS_AS.exec(clause) ??
    (clause.startsWith(name) ? matchAt(APPOSITION, clause, name.length) : null) ??
    /^(?:role|position|title|job title|occupation): ?(\S.*)$/iu.exec(clause);
  return match?.[1]?.trim() ?? null;
}

function roleAfterSubject(clause: string, name: string): RegExpExecArray | null {
  const subjects = [name, name.split(' ')[0]!, 'He', 'She', 'They'];
  for (const { index } of clause.matchAll(/(?<![\p{L}\p{N}_])\p{L}/gu)) {
    for (const subject of subjects) {
      const match = clause.startsWith(subject, index) ? matchAt(IS_ROLE, clause, index + subject.length) : null;
      if (match !== null) return match;
    }
  }
  return null;
}

/** Matches a sticky pattern at one position. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
