import { stemsOf } from '../text/words.ts';
import { NUMBER_WORD_PATTERN, numberWord } from '@cairn/text';
import { LANGUAGES, SCHOOL } from './vocabulary.ts';
import { CAPITALISED } from './names.ts';

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
] as const;
export type CriterionKind = (typeof CRITERION_KINDS)[number];

/** One condition of a prompt, checked separately for each candidate. */
export interface ParsedCriterion {
  criterion_id: string;
  kind: CriterionKind;
  text: string;
  /** The value to compare with: a name, a language, words, or the text of a number. */
  value: string;
  /** For numbers: whether it is the minimum or the maximum. */
  bound?: 'min' | 'max';
}

// The patterns below expect white space to be collapsed to single blanks, and bound every repetition, so that their
// time grows linearly with the length of the prompt.
const NUMBER = String.raw`\d[\d.,]{0,15}|${NUMBER_WORD_PATTERN}`;
interface Rule {
  pattern: RegExp;
  read: (match: RegExpExecArray) => { kind: CriterionKind; value: string; bound?: 'min' | 'max' }[];
}

const one = (kind: CriterionKind, value: string, bound?: 'min' | 'max') => [
  { kind, value: value.trim().replace(/(?<![.,;])[.,;]+$/, ''), ...(bound === undefined ? {} : { bound }) },
];
const several = (kind: CriterionKind, text: string) =>
  text
    .split(/ ?(?:,|\band\b|\bor\b|&) ?/i)
    .map((part) => part.replace(/\b(?:skills?|experience|expertise|knowledge)\b/gi, '').trim())
    .filter((part) => part !== '' && stemsOf(part).length > 0)
    .flatMap((part) => one(kind, part));
const atLeast = (text: string) => String(numberWord(text) ?? Number(text.replace(/[.,](?=\d{3})/g, '')));

const LANGUAGE_ALONE = new RegExp(`^(?:${LANGUAGES})$`);

/** Locations, of people and companies alike. */
const LOCATION: Rule[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:who (?:are )?)?(?:currently )?(?:(?:based|located|living|live|resid(?:e|ing)|headquartered|working|work|offices?) )?(?:in|near) (?:the )?(${CAPITALISED})`,
      'u',
    ),
    read: (m) => (LANGUAGE_ALONE.test(m[1]!) ? one('language', m[1]!) : one('location', m[1]!)),
  },
  {
    pattern: new RegExp(String.raw`(?<![\p{L}\p{N}&.'’-])(${CAPITALISED})-based\b`, 'u'),
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

const PEOPLE_RULES: Rule[] = [
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
      String.raw`\b(?:(?:who )?(?:speak(?:s|ing)?|fluent in|know)|and) ((?:${LANGUAGES})(?: ?(?:,|and|&) ?(?:${LANGUAGES})){0,40})`,
      'u',
    ),
    read: (m) => several('language', m[1]!),
  },
  { pattern: new RegExp(String.raw`\b(${LANGUAGES})[- ]speaking\b`, 'u'), read: (m) => one('language', m[1]!) },
  {
    pattern: new RegExp(
      String.raw`\b(?:who )?(?:studied|graduated|graduates?|degrees?|alumni|educated|PhDs?)(?: [\p{Ll} ]{0,60}?)? (?:at|from|of) (?:the )?(${CAPITALISED})`,
      'u',
    ),
    read: (m) => one('education', m[1]!),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:who )?(?:have |has )?(?:previously |formerly )?(?:worked|been employed|spent time|formerly) (?:at|for|with) (${CAPITALISED})|\b(?:former|ex-?) ?(${CAPITALISED}) (?:employees|people|staff)`,
      'u',
    ),
    read: (m) => one('former_employer', m[1] ?? m[2]!),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:who )?(?:(?:currently )?(?:work(?:s|ing)?|employed|employees) (?:at|for|with)|at) (?:the )?(${CAPITALISED})`,
      'u',
    ),
    read: (m) => one(SCHOOL.test(m[1]!) ? 'education' : 'employer', m[1]!),
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
    pattern: /\b(?:founded|established|started|incorporated) (in|after|since|before) (\d{4})/iu,
    read: (m) =>
      /in/i.test(m[1]!)
        ? [...one('founded', m[2]!, 'min'), ...one('founded', m[2]!, 'max')]
        : /before/i.test(m[1]!)
          ? one('founded', String(Number(m[2]) - 1), 'max')
          : one('founded', String(/after/i.test(m[1]!) ? Number(m[2]) + 1 : Number(m[2])), 'min'),
  },
  ...LOCATION,
  {
    pattern:
      /\b(?:(?:that|which|who) (?:are )?(?:make|makes|build|builds|sell|sells|offer|offers|provide|provides|develop|develops|produce|produces|manufacture|manufactures) |(?:making|building|selling|offering|providing|developing|producing|manufacturing) |(?:working )?(?:in|active in) (?:the )?(?=[\p{Ll} -]{1,80} (?:industry|sector|field|business|market)\b))([^,;.]{1,160}?)(?= (?:industry|sector|field|business|market|who|that|which|based|with|founded)\b|[,;.]|$)/u,
    read: (m) => several('industry', m[1]!),
  },
];

const OPENING =
  /^\s*(?:please\s+)?(?:(?:can|could) you\s+)?(?:i(?:'m| am)? (?:want|need|would like|looking for)\s*(?:to (?:find|see|get))?|find|list|search(?: for)?|show|get|give|look for|identify|build a list of|who are)?\s*(?:me|us)?\s*(?:all|some|any|every|the|up to)?\s*(?:\d+|ten|twenty|five)?\s*(?:the)?\s*/i;
const ROLE_NOISE =
  /\b(?:people|persons?|candidates?|experts?|employees|colleagues|someone|anyone|everyone|everybody|staff|who|that|which|companies|company|firms?|businesses|organi[sz]ations?|startups?|start-ups?|vendors?|suppliers?|our|my|their|with|documents?|memory|are|is|and|or|in|at|from)\b/gi;

/** The conditions of a prompt, each kind and value once, in the order of the text. */
export function criteriaOf(prompt: string, kind: 'people' | 'company'): ParsedCriterion[] {
  let rest = prompt
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const found: (Omit<ParsedCriterion, 'criterion_id'> & { at: number })[] = [];
  for (const { pattern, read } of kind === 'people' ? PEOPLE_RULES : COMPANY_RULES) {
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
  const head = rest.replace(OPENING, '').split(/[;.,?!]/, 1)[0]!;
  const role = head.replace(ROLE_NOISE, ' ').replace(/\s+/g, ' ').trim();
  if (stemsOf(role).length > 0)
    found.push({ kind: kind === 'people' ? 'role' : 'industry', value: role, text: role, at: -1 });
  const unique = new Map(
    found.sort((a, b) => a.at - b.at).map((c) => [`${c.kind} ${c.value.toLowerCase()} ${c.bound ?? ''}`, c]),
  );
  return [...unique.values()].map(({ at: _at, ...criterion }, index) => ({
    criterion_id: `c${index + 1}`,
    ...criterion,
  }));
}
