import { NUMBER_WORD_PATTERN, numberWord, plainText, type Statement, statementsOf } from '@cairn/text';
import type { CriterionKind } from './criteria.ts';
import { LANGUAGES, SCHOOL } from './vocabulary.ts';
import { CAPITALISED, personNameIn, subjectNameIn } from './names.ts';
import { type Fact, type Profile, type ProfileSource, quoteOf } from './profile.ts';

// The patterns below expect the output of `plainText`: white space is single blanks.
const LANGUAGE = `(?:${LANGUAGES})`;
const PAST =
  /\b(?:formerly|previously|former|used to|until \d{4}|was (?:an?|the)|before (?:that|joining|moving)|worked|had been|left|once)\b/i;
const DENIED = /\b(?:no|not|never|without|lacks?|doesn't|does not|neither|nor)\b/i;
const WISHED =
  /\b(?:wants? to|would like to|hopes? to|plans? to|is learning|learning|interested in learning|dreams? of)\b/i;
const DECADE_YEARS = 10;
const EXPERIENCE = new RegExp(
  String.raw`\b(\d{1,2}|(?!zero\b|one\b)(?:${NUMBER_WORD_PATTERN})|(?:a|one) decade)\+? ?(?:years?)?(?:['’]? of)? (?:\p{Ll}{1,30} ){0,3}experience\b`,
  'giu',
);

/** Enough text before a statement to tell whether a paragraph begins with it. */
const BEFORE_CHARS = 40;

interface Pattern {
  kind: CriterionKind;
  pattern: RegExp;
  /** Whether the fact is current; by default the sentence decides. */
  current?: boolean;
  confidence: number;
}

const PATTERNS: readonly Pattern[] = [
  {
    kind: 'location',
    confidence: 0.95,
    current: true,
    pattern: new RegExp(
      String.raw`\b(?:based (?:in|at)|lives? in|living in|resides? in|located in|works? (?:from|out of)(?: the)?|headquartered in|headquarters (?:are )?in|moved to|relocated to|calls?) (?:the )?(${CAPITALISED})`,
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
    kind: 'location',
    confidence: 0.3,
    current: false,
    pattern: new RegExp(String.raw`\b(?:born|grew up|raised|childhood) in (${CAPITALISED})`, 'gu'),
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
const LANGUAGE_NAME = new RegExp(LANGUAGE);
const LANGUAGE_NAMES = new RegExp(LANGUAGE, 'g');
const SPOKEN = new RegExp(
  String.raw`\b(?:speaks?|fluent in|spoken|native|languages?(?: are| include)?:?) ((?:(?: ?[,&])?[\p{Ll} ]{0,60}?${LANGUAGE}){1,40})`,
  'gu',
);

/** Profiles in prose: biographies under a heading or title that is a name, and paragraphs that begin with a name. */
export function personProfiles(source: ProfileSource): Profile[] {
  const titled = personNameIn(source.title.split(/\s[—–|-]\s|:|,/, 1)[0]!);
  const profiles = new Map<string, { name: string; statements: Statement[] }>();
  let current: string | null = titled;
  let lastHeading = '';
  for (const statement of statementsOf(source.body)) {
    const heading = statement.headings.join(' › ');
    if (heading !== lastHeading) {
      lastHeading = heading;
      const parts = statement.headings.flatMap((part) => part.split(' › ')).toReversed();
      const named = parts
        .map((part) => personNameIn(part.split(/\s[—–|-]\s|:|,/, 1)[0]!))
        .find((name) => name !== null);
      current = named ?? titled;
    }
    const plain = plainText(statement.text);
    const subject = subjectNameIn(plain);
    if (subject !== null && (current === null || !sameFirst(current, subject))) {
      // In a text about one person another name is incidental, unless a paragraph begins with it.
      const before = source.body.slice(Math.max(0, statement.start - BEFORE_CHARS), statement.start);
      const begins = before.trimEnd() === '' || endsWithLineStart(before);
      if (begins && titled === null) current = subject;
      else if (current !== null && !begins) continue;
    }
    if (current === null) continue;
    const known = profiles.get(current) ?? { name: current, statements: [] };
    known.statements.push(statement);
    profiles.set(current, known);
  }
  return [...profiles.values()].flatMap(({ name, statements }) => {
    const facts = statements.flatMap((statement) => factsIn(source, statement, name));
    return facts.length === 0
      ? []
      : [{ name, facts, statements: statements.map(({ start, text }) => quoteOf(source, start, text)) }];
  });
}

/** Whether the text ends at the beginning of a line, after a list marker or not. */
function endsWithLineStart(text: string): boolean {
  const bare = text.trimEnd();
  const space = text.slice(bare.length);
  if (space.includes('\n') || space === '' || !/[-*]$/.test(bare)) return space.includes('\n');
  const before = bare.slice(0, -1);
  return before.slice(before.trimEnd().length).includes('\n');
}

function sameFirst(a: string, b: string): boolean {
  return a.split(' ')[0] === b.split(' ')[0] || a.split(' ').at(-1) === b.split(' ').at(-1);
}

const COMPANY_SUBJECT = new RegExp(
  String.raw`^(${CAPITALISED}(?: plc)?) ?(?:,|\(|is\b|was\b|makes\b|builds\b|sells\b|offers\b|provides\b|develops\b|produces\b|manufactures\b|employs\b|has\b)`,
  'u',
);

/**
 * The same for companies: named by the title, a heading, or the subject of a sentence that says what the company is or
 * makes.
 */
export function companyProfiles(source: ProfileSource): Profile[] {
  const profiles = new Map<string, Statement[]>();
  const titled = source.title.split(/\s[—–|]\s|:/, 1)[0]!.trim();
  let current: string | null = null;
  let lastHeading = '';
  for (const statement of statementsOf(source.body)) {
    const heading = statement.headings.join(' › ');
    if (heading !== lastHeading) {
      lastHeading = heading;
      current = null;
    }
    const subject = COMPANY_SUBJECT.exec(plainText(statement.text))?.[1]?.replace(/,$/, '') ?? null;
    const own = [titled, ...statement.headings.flatMap((part) => part.split(' › '))];
    const isPronoun = /^(?:The|It|They|We|Its|This|In|Our|A|An)\b/.test(subject ?? 'It');
    if (
      subject !== null &&
      !isPronoun &&
      /\b(?:is|are) (?:an?|the) |makes|builds|sells|offers|provides|develops|produces|manufactures|employs/.test(
        statement.text,
      )
    ) {
      const known = own.find((name) => name.startsWith(subject) || subject.startsWith(name));
      current = known ?? subject;
    }
    if (current === null) continue;
    const known = profiles.get(current);
    if (known === undefined) profiles.set(current, [statement]);
    else known.push(statement);
  }
  return [...profiles].flatMap(([name, statements]) => {
    const facts = statements.flatMap((statement) => [
      ...factsIn(source, statement, name),
      ...industryIn(source, statement),
    ]);
    return facts.length === 0 || personNameIn(name) !== null
      ? []
      : [{ name, facts, statements: statements.map(({ start, text }) => quoteOf(source, start, text)) }];
  });
}

function industryIn(source: ProfileSource, statement: Statement): Fact[] {
  const match =
    /\b(?:is|are) (?:an?|the) ([^.;]*)|\b(?:makes|builds|sells|offers|provides|develops|produces|manufactures) ([^.;]*)/u.exec(
      plainText(statement.text),
    );
  const value = match?.[1] ?? match?.[2];
  if (value === undefined) return [];
  return [
    {
      kind: 'industry',
      value,
      current: true,
      confidence: 0.9,
      quote: quoteOf(source, statement.start, statement.text),
    },
  ];
}

function factsIn(source: ProfileSource, statement: Statement, name: string): Fact[] {
  const plain = plainText(statement.text);
  const quote = quoteOf(source, statement.start, statement.text);
  const facts: Fact[] = [];
  const add = (kind: CriterionKind, value: string, current: boolean, confidence: number) => {
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
    if (DENIED.test(clause) || WISHED.test(clause)) continue;
    for (const { kind, pattern, current, confidence } of PATTERNS)
      for (const match of clause.matchAll(pattern)) add(kind, match[1]!, current ?? true, confidence);
    for (const match of clause.matchAll(ORGANISATION)) {
      if (SCHOOL.test(match[1]!) || LANGUAGE_NAME.test(match[1]!)) continue;
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
      for (const [language] of match[1]!.matchAll(LANGUAGE_NAMES)) add('language', language, true, 0.95);
    for (const match of clause.matchAll(EXPERIENCE)) add('experience_years', yearsIn(match[1]!), true, 0.95);
    for (const match of clause.matchAll(/\bexperience:? (?:of )?(\d{1,2}) years/giu))
      add('experience_years', match[1]!, true, 0.95);
    const role = roleIn(clause, name);
    if (role !== null) add('role', role, !past, past ? 0.5 : 0.95);
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
