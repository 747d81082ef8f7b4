import { cutText } from '@cairn/language';
import { LANGUAGE_NAME_PATTERN, NUMBER_WORD_PATTERN, numberWord } from '@cairn/language';
import { stemsOf } from '../text/words.ts';
import { requestedSentences } from '../request/requested-sentences.ts';
import { type RequestedClass, requestedClasses, isGenericNoun, isUnrestrictedClass } from './requested-class.ts';
import { type RequestedColumn, requestedColumns } from './requested-columns.ts';
import { CAPITALISED } from './names.ts';
import { type EntityKind, loadNouns } from './nouns.ts';
import { shippedSyntax } from './shipped-reader.ts';

const CRITERION_KINDS = [
  'role',
  'location',
  'employer',
  'former_employer',
  'education',
  'language',
  'experience_years',
  'skill',
  'industry',
  'employees',
  'founded',
  'nationality',
  'birth_place',
  'birth_year',
  'death_year',
] as const;
export type CriterionKind = (typeof CRITERION_KINDS)[number];

/** One condition of a prompt, checked separately for each candidate. */
export interface ParsedCriterion {
  criterion_id: string;
  kind: CriterionKind;
  text: string;
  /** The value to compare with: a name, a language, words, or the text of a number. */
  value: string;
  /** The values of which one is enough: "Munich or Berlin". */
  values: string[];
  /** For roles and industries: the classes of which one is enough. */
  classes: RequestedClass[];
  /** For numbers: whether it is the minimum or the maximum. */
  bound?: 'min' | 'max';
}

// The patterns below expect white space to be collapsed to single blanks, and bound every repetition, so that their
// time grows linearly with the length of the prompt.
/** One name, or several of which one is enough. */
const NAMES = String.raw`${CAPITALISED}(?:,? or (?:(?:at|in|for) )?(?:the )?${CAPITALISED}){0,5}`;
const NUMBER = String.raw`\d[\d.,]{0,15}|${NUMBER_WORD_PATTERN}`;
interface Rule {
  pattern: RegExp;
  read: (match: RegExpExecArray) => { kind: CriterionKind; value: string; bound?: 'min' | 'max' }[];
}

const trimmed = (text: string) => text.trim().replace(/(?<![.,;])[.,;]+$/, '');
const one = (kind: CriterionKind, value: string, bound?: 'min' | 'max') => [
  { kind, value: trimmed(value), ...(bound === undefined ? {} : { bound }) },
];
/** Several values of which all are asked for; "A or B" stays one. */
const several = (kind: CriterionKind, text: string) =>
  text
    .split(/ ?(?:,|\band\b|&) ?/i)
    .map((part) => part.replace(/\b(?:skills?|experience|expertise|knowledge)\b/gi, '').trim())
    .filter((part) => part !== '' && stemsOf(part).length > 0)
    .flatMap((part) => one(kind, part));
const atLeast = (text: string) => String(numberWord(text) ?? Number(text.replace(/[.,](?=\d{3})/g, '')));

const LANGUAGE_ALONE = new RegExp(`^(?:${LANGUAGE_NAME_PATTERN})$`);

/** Locations, of people and companies alike. */
const LOCATION: Rule[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:who (?:are )?)?(?:currently )?(?:(?:based|located|living|live|resid(?:e|ing)|headquartered|working|work|offices?) )?(?:in|near) (?:the )?(${NAMES})`,
      'u',
    ),
    read: (m) => (LANGUAGE_ALONE.test(m[1]!) ? one('language', m[1]!) : one('location', m[1]!)),
  },
  {
    pattern: new RegExp(String.raw`(?<![\p{L}\p{N}&.'’-])(${NAMES})-based\b`, 'u'),
    read: (m) => one('location', m[1]!),
  },
];

// Where a list of skills ends. After `and` the list goes on with what follows `with`; a second alternative, for a list
// that has no other end, ends it there. Each alternative has only one way to match.
const SKILLS_END = String.raw`(?: (?:who|based|living|and (?:who|are))|(?<! and) (?:with|in \p{Lu}))\b|[;.]|$`;
const SKILLS_NEAR_END = String.raw`(?: (?:who|based|living|and (?:who|are)|with|in \p{Lu}))\b|[;.]|$`;
const SKILL = String.raw`(?:[^,;.]|, (?!who\b|based\b|living\b|speak|are\b)[^,;.])`;
const SKILLS = String.raw`(?:([^,;.](?:(?!${SKILLS_END})${SKILL}){0,400})(?=${SKILLS_END})|([^,;.](?:(?!${SKILLS_NEAR_END})${SKILL}){0,400})(?=${SKILLS_NEAR_END}))`;
const KNOWN_END = String.raw`(?: (?:who|based|living|and who)|(?<! and) with)\b|[;.]|$`;
const KNOWN_NEAR_END = String.raw` (?:who|based|living|and who|with)\b|[;.]|$`;
const KNOWN_SKILL = String.raw`(?:[^,;.]|, (?!who\b|based\b|living\b|speak)[^,;.])`;
const KNOWN = String.raw`(?:([^,;.](?:(?!${KNOWN_END})${KNOWN_SKILL}){0,400})(?=${KNOWN_END})|([^,;.](?:(?!${KNOWN_NEAR_END})${KNOWN_SKILL}){0,400})(?=${KNOWN_NEAR_END}))`;

function yearsIn(kind: CriterionKind, word: string, year: string) {
  const before = one(kind, String(Number(year) - 1), 'max');
  const from = one(kind, year, 'min');
  if (/in/i.test(word) && !/since|until/i.test(word)) return [...from, ...one(kind, year, 'max')];
  if (/before/i.test(word)) return before;
  if (/until/i.test(word)) return one(kind, year, 'max');
  return /after/i.test(word) ? one(kind, String(Number(year) + 1), 'min') : from;
}

/** When and where somebody was born or died. */
const LIFE: Rule[] = [
  {
    pattern: /\b(?:who (?:were |was )?)?(born|died|deceased) (in|after|since|before|until) (?:the year )?(\d{4})\b/iu,
    read: (m) => yearsIn(/born/i.test(m[1]!) ? 'birth_year' : 'death_year', m[2]!, m[3]!),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:who (?:were |was |are )?)?(?:born|native to|originally from) (?:in |near )?(?:the )?(${NAMES})`,
      'u',
    ),
    read: (m) => one('birth_place', m[1]!),
  },
];

const PEOPLE_RULES: Rule[] = [
  ...LIFE,
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:with|having|has|have) )?(?:(?:at least|more than|over|minimum(?: of)?|min\.?) ?)?(${NUMBER}) ?\+? ?(?:or more )?years?(?: or more)?(?:['’]? of)?(?:(?: (?:professional|work|working))? experience)?(?: (?:in|with|of) ([^,;.]{1,120}?))?(?= (?:who|and|with|based|in \p{Lu}|living|at)\b|[,;.]|$)`,
      'iu',
    ),
    read: (m) => [
      ...one('experience_years', atLeast(m[1]!), 'min'),
      ...(m[2] === undefined ? [] : several('skill', m[2])),
    ],
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:who )?(?:speak(?:s|ing)?|fluent in|know)) ((?:${LANGUAGE_NAME_PATTERN})(?: ?(?:,|and|&) ?(?:${LANGUAGE_NAME_PATTERN})){0,40})`,
      'u',
    ),
    read: (m) => several('language', m[1]!),
  },
  {
    pattern: new RegExp(String.raw`\b(${LANGUAGE_NAME_PATTERN})[- ]speaking\b`, 'u'),
    read: (m) => one('language', m[1]!),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:who )?(?:studied|graduated|graduates?|degrees?|alumni|educated|PhDs?)(?: [\p{Ll} ]{0,60}?)? (?:at|from|of) (?:the )?(${NAMES})`,
      'u',
    ),
    read: (m) => one('education', m[1]!),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:who )?(?:have |has )?(?:previously |formerly )?(?:worked|been employed|spent time|formerly) (?:at|for|with) (${NAMES})|\b(?:former|ex-?) ?(${NAMES}) (?:employees|people|staff)`,
      'u',
    ),
    read: (m) => one('former_employer', m[1] ?? m[2]!),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:who )?(?:(?:currently )?(?:work(?:s|ing)?|employed|employees) (?:at|for|with)|at) (?:the )?(${NAMES})`,
      'u',
    ),
    read: (m) => one('employer', m[1]!),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:with|having|who have|have) )?(?:(?:good|strong|proven|an?) ){0,3}(?:experience|expertise|background|skills?|knowledge) (?:in|with|of) ${SKILLS}`,
      'u',
    ),
    read: (m) => several('skill', m[1] ?? m[2]!),
  },
  ...LOCATION,
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:with|having|who have) (?:an? )?(?:(?:good|strong|proven) )?(?:(?:experience|expertise|background|skills?|knowledge) (?:in|with|of) )?|who (?:know|knows|use|uses|understand|specialise in|specialize in) |skilled in |experienced? (?:in|with) |expertise in |speciali[sz]ing in |knowing |using )${KNOWN}`,
      'iu',
    ),
    read: (m) => several('skill', m[1] ?? m[2]!),
  },
];

const COMPANY_RULES: Rule[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:with|having|of|employing|that employ) )?(at least|more than|over|minimum(?: of)?|at most|fewer than|less than|under|up to) (${NUMBER}) (?:employees|people|staff|workers)`,
      'iu',
    ),
    read: (m) => one('employees', atLeast(m[2]!), /most|fewer|less|under|up to/i.test(m[1]!) ? 'max' : 'min'),
  },
  {
    pattern:
      /\b(?:that (?:were |was )?)?(?:founded|established|started|incorporated|formed|created|opened) (in|after|since|before|until) (?:the year )?(\d{4})/iu,
    read: (m) => yearsIn('founded', m[1]!, m[2]!),
  },
  ...LOCATION,
  {
    pattern:
      /\b(?:(?:that|which|who) (?:are )?(?:make|makes|build|builds|sell|sells|offer|offers|provide|provides|develop|develops|produce|produces|manufacture|manufactures) |(?:making|building|selling|offering|providing|developing|producing|manufacturing) |(?:working )?(?:in|active in) (?:the )?(?=[\p{Ll} -]{1,80} (?:industry|sector|field|business|market)\b))([^,;.]{1,160}?)(?= (?:industry|sector|field|business|market|who|that|which|based|with|founded)\b|[,;.]|$)/u,
    read: (m) => several('industry', m[1]!),
  },
];

/** What a prompt asks a list for. */
export interface ListRequest {
  criteria: ParsedCriterion[];
  columns: RequestedColumn[];
}

const OPENINGS: readonly RegExp[] = [
  /^(?:please|hi|hello|hey)\b[ ,]*/i,
  /^(?:can|could|would) you (?:please )?/i,
  /^i(?:'m| am)? (?:want|need|would like|looking for|search(?:ing)? for)(?: to (?:find|see|get|have|know))?\b ?/i,
  /^(?:find|list|search(?: for)?|show|get|give|look for|identify|name|collect|build|make|compile|tell)\b ?/i,
  /^(?:me|us)\b ?/i,
  /^(?:who|what|which) (?:are|is|were)\b ?/i,
  /^(?:which|what)\b ?/i,
  /^an? (?:list|table|overview) of\b ?/i,
  /^(?:they|each of them|all of them)\b ?(?:(?:must|should|have to|need to) ?(?:all )?(?:be )?)?/i,
  /^(?:a list of|all|some|any|every|each|up to|the|known)\b ?(?:of (?:the )?)?/i,
  /^(?:\d{1,4}|ten|twenty|five|fifty|hundred)\b ?/i,
];
function withoutOpening(prompt: string): string {
  let rest = prompt;
  for (let round = 0; round < 3; round += 1) for (const opening of OPENINGS) rest = rest.replace(opening, '');
  return rest;
}

const INCLUDING = /^(?:please )?(?:include|add|note|state|with) (?:also )?/i;

/** The columns and the conditions of one sentence. "Include their email" names columns alone. */
function parseListSentence(sentence: string): ReturnType<typeof requestedColumns> {
  const listed = requestedColumns(sentence.replace(INCLUDING, ', including '));
  return listed.columns.length > 0 && listed.rest === '' ? listed : requestedColumns(withoutOpening(sentence));
}

/** Longer prompts are no list's. */
const PROMPT_MAX_CHARS = 4_000;
const CRITERIA_MAX = 40;

type Found = Pick<ParsedCriterion, 'kind' | 'value' | 'text' | 'bound'> & { at: number; classes?: RequestedClass[] };

/** The conditions of a prompt, each kind and value once, in the order of the text, and the columns it asks for. */
export function readListRequest(prompt: string, kind: EntityKind): ListRequest {
  const plain = cutText(prompt, PROMPT_MAX_CHARS).replace(/https?:\/\/\S+/g, ' ');
  const parsed = requestedSentences(shippedSyntax(), plain).map((sentence) =>
    parseListSentence(sentence.replace(/\s+/g, ' ')),
  );
  const columns = parsed.flatMap((one) => one.columns);
  let rest = parsed.map((one) => one.rest).join('; ');
  const found: Found[] = [];
  for (const { pattern, read } of kind === 'person' ? PEOPLE_RULES : COMPANY_RULES) {
    for (let guard = 0; guard < 8; guard += 1) {
      const match = pattern.exec(rest);
      if (match === null || match[0].trim() === '') break;
      const text = match[0].trim();
      for (const criterion of read(match)) found.push({ ...criterion, text, at: match.index });
      // Replaced by semicolons of the same length, so that nothing matches across the gap and positions stay
      // comparable.
      rest = `${rest.slice(0, match.index)}${';'.repeat(match[0].length)}${rest.slice(match.index + match[0].length)}`;
    }
  }
  for (const [index, part] of rest
    .split(/[;.?!]+|\b(?:(?:who|that|which) )?(?:are|were|is|was)(?: also)?\b/i)
    .entries())
    found.push(...classCriteria(part, kind, index));
  if (found.length === 0 && parsed.length > 0) found.push(...everybody(rest, kind));
  const unique = new Map(
    found.sort((a, b) => a.at - b.at).map((c) => [`${c.kind} ${c.value.toLowerCase()} ${c.bound ?? ''}`, c]),
  );
  const criteria = [...unique.values()]
    .slice(0, CRITERIA_MAX)
    .map(({ at: _at, classes = [], ...criterion }, index) => ({
      criterion_id: `c${index + 1}`,
      ...criterion,
      classes,
      values: criterion.value.split(/,? or (?:(?:at|in|for) )?(?:the )?/).map(trimmed),
    }));
  return { criteria, columns };
}

/** "People named in my documents": all of a kind, when the prompt says no more of them. */
function everybody(rest: string, kind: EntityKind): Found[] {
  const text = rest
    .replace(/[;.?!]/g, ' ')
    .replace(CONNECTION, '')
    .trim();
  // "Who is named in my documents?": what is left says nothing of them.
  const isBare = text === '' || (!text.includes(' ') && text.endsWith('ed')) || namesAnybody(text, kind);
  if (!isBare && !requestedClasses(text, kind).classes.some(isUnrestrictedClass)) return [];
  const all: RequestedClass = { head: null, modifiers: [], past: false };
  const value = kind === 'person' ? 'people' : 'companies and other organisations';
  return [{ kind: kind === 'person' ? 'role' : 'industry', value, text: value, at: 0, classes: [all] }];
}

/** "people mentioned": a noun for anybody, with a participle that says nothing to check. */
function namesAnybody(text: string, kind: EntityKind): boolean {
  const [noun = '', participle = '', ...more] = text.toLowerCase().split(' ');
  return more.length === 0 && participle.endsWith('ed') && isGenericNoun(loadNouns().singular(noun), kind);
}

const CONNECTION = /^(?:[\s,]|\b(?:and|or|also|but|currently|with|all)\b)+/i;

/** What a noun phrase asks for: a class, and the nationality that its adjectives name. */
function classCriteria(part: string, kind: EntityKind, index: number): Found[] {
  const text = part.replace(CONNECTION, '').trim();
  if (text === '' || namesAnybody(text, kind)) return [];
  const { classes, demonyms, rest } = requestedClasses(text, kind);
  const at = index * 1_000 - 1_000;
  const found: Found[] = [];
  const isClass = classes.some(({ head, modifiers }) => head !== null || modifiers.length > 0);
  const noun = rest === '' ? text : text.slice(0, text.length - rest.length).trim();
  if (isClass) found.push({ kind: kind === 'person' ? 'role' : 'industry', value: noun, text: noun, at, classes });
  if (demonyms.length > 0)
    found.push({
      kind: 'nationality',
      value: [...new Set(demonyms)].join(' or '),
      text: demonyms.join(', '),
      at: at + 1,
    });
  const of = /^\s*(?:of|from) (?:the )?(\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*){0,4})/u.exec(rest);
  if (of !== null) found.push({ kind: 'nationality', value: of[1]!, text: of[0].trim(), at: at + 2 });
  return found;
}
