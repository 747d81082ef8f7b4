import { MONTHS } from '@cairn/language';
import { readClassPhrase } from './class-phrase.ts';

/** A sentence that says what its subject is. Places are UTF-16 offsets into the sentence. */
export interface Definition {
  /** The words before the verb, without what is in brackets. */
  subject: string;
  /** Further names in them: "Leslie Tucker, known as Junior Tucker". */
  aliases: string[];
  /** From the article to the end of the sentence. */
  phrase: string;
}

const COPULA =
  /(?:^|[\s,])(?:is|was|are|were|became|remains)\s+(?:(?:now|currently|also|formerly|still|primarily|perhaps|generally)\s+)?(?=(?:an?|the|one of)\s)/u;
const KNOWN_AS =
  /\b(?:known(?: professionally| simply| popularly| locally| mononymously)?(?: as| by (?:his|her|their) (?:stage|ring|pen)? ?name)?|doing business as|also called|a\.?k\.?a\.?|born|spelled|nicknamed|(?:stage|ring|pen) ?name)\s+["“]?((?:\p{Lu}[\p{L}\p{N}.'’&-]*)(?:\s\p{Lu}[\p{L}\p{N}.'’&-]*){0,5})/gu;
const SUBJECT_MAX = 200;
const SENTENCE_MAX = 1_000;

/** A copy of the text with everything in brackets replaced by blanks, so that offsets stay. Unclosed brackets stay too. */
export function withoutBrackets(text: string): string {
  const out = [...Array(text.length).keys()].map((i) => text[i]!);
  const open: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]!;
    if (character === '(' || character === '[' || character === '{') open.push(i);
    else if ((character === ')' || character === ']' || character === '}') && open.length > 0) {
      const from = open.pop()!;
      out.fill(' ', from, i + 1);
    }
  }
  return out.join('');
}

/** What a sentence says its subject is; null when it says nothing of the kind. */
export function definitionIn(sentence: string): Definition | null {
  const plain = withoutBrackets(sentence.slice(0, SENTENCE_MAX));
  const match = COPULA.exec(plain);
  if (match === null || match.index > SUBJECT_MAX) return null;
  const before = plain.slice(0, match.index).replace(/\s+/g, ' ').trim();
  const subject = withoutAdverbial(before)
    .split(/,|;| - | – | — |\s(?:known|born|also|better|doing|formerly|commonly|sometimes|nicknamed)\s/u, 1)[0]!
    .replace(/["“”]/g, '')
    .trim();
  if (subject === '') return null;
  const phrase = plain.slice(match.index + match[0].length).replace(/\s+/g, ' ');
  if (readClassPhrase(phrase).terms.length === 0) return null;
  return { subject, aliases: aliasesIn(sentence.slice(0, match.index)), phrase };
}

const ADVERBIAL =
  /^(?:in|on|at|by|prior|during|after|before|from|since|for|with|as|when|while|although|though|until|under|despite|among|today|currently|originally|initially|historically|according)\b[^,]*(?:,\s*|$)/i;

/** "In 1981, the brand" → "the brand". */
function withoutAdverbial(text: string): string {
  return text.replace(ADVERBIAL, '');
}

/** Other names that stand before the verb, in brackets or not. */
export function aliasesIn(text: string): string[] {
  const found = Array.from(text.slice(0, SUBJECT_MAX * 2).matchAll(KNOWN_AS), (match) => match[1]!);
  return found.filter((name) => !MONTHS.includes(name.split(' ', 1)[0]!.toLowerCase()));
}
