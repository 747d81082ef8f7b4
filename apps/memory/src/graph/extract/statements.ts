import { isCommon } from '../../text/lexicon.ts';
import { attribute, costs, counted, dated, polar, retention, within } from './measure-statements.ts';
import type { FoundStatement, Pattern, ReadSentence } from './sentence-pattern.ts';
import type { Statement } from './statement.ts';
import { readDate } from './values.ts';

/** What sentences measure: amounts, periods and days, of things with and without a name; and what is not so. */
export function statementsOf(sentence: ReadSentence): Statement[] {
  const found: FoundStatement[] = [];
  for (const { needs, pattern } of PATTERNS) if (needs.test(sentence.text)) found.push(...pattern(sentence));
  const standalone = found.filter((statement) => !pointsBack(statement, sentence));
  if (standalone.length === 0) return [];
  const { from, to } = validityOf(sentence.text);
  return standalone.map((statement) => ({
    ...statement,
    negated: statement.negated ?? false,
    start: sentence.start + (LIST_MARK.exec(sentence.text)?.[0].length ?? 0),
    end: sentence.end,
    validFrom: statement.relation.endsWith('_date') ? null : from,
    validTo: statement.relation.endsWith('_date') ? null : to,
    ended: false,
  }));
}

/** What a line of a list begins with. */
const LIST_MARK = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+/;

/** A word that points, and the one that it points to. */
const POINTING = /\b(?:the|this|that|these|those|its|their|his|her|my|your)\s+(?=([\p{L}-]+))/giu;

/** "The film", "this contract": another one in every document, unlike "backups" or "the Konstanz office". */
function pointsBack({ subject }: FoundStatement, { text, names }: ReadSentence): boolean {
  if (!/^\p{L}+$/u.test(subject) || names.some((name) => name.text === subject && name.class !== 'term')) return false;
  const small = subject.toLowerCase();
  if (small !== subject && !isCommon(small)) return false;
  return [...text.matchAll(POINTING)].some((match) => match[1]!.toLowerCase() === small);
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

const PATTERNS: readonly { needs: RegExp; pattern: Pattern }[] = [
  { needs: /\b(?:is|was|are|were|amounts|equals|stands|remains|will be|has|have|had)\b/, pattern: attribute },
  { needs: /\b(?:for|after)\s/, pattern: retention },
  { needs: /\b(?:within|in less than)\s/, pattern: within },
  { needs: /\d/, pattern: dated },
  { needs: /\bcosts?\b|priced|sells? for/, pattern: costs },
  { needs: /\b(?:has|have|had|employ|counts|contains|comprises)/, pattern: counted },
  { needs: /support|allow|requir|accept|includ|permit|cover|contain|prohibit|forbid|needs?\b/, pattern: polar },
];
