import { analyseQuery } from '../../text/analyse.ts';
import { detectLanguage } from '../../text/detect-language.ts';

/** Share of a sentence's words that its sources must have. */
const SUPPORTED_SHARE_MIN = 0.6;
/** Languages that write every noun with a capital, so that a capital does not tell a name. */
const NOUNS_HAVE_CAPITALS = new Set(['de']);
// A capitalised word that does not begin the sentence, quotation marks and brackets aside.
const NAME = /(?<=[\p{L}\p{N}\])}"”’,;:–-]\s{1,4}["“‘(]?)\p{Lu}[\p{L}\p{M}\p{N}'’-]*\p{L}/gu;
/** Addresses with a scheme, domains, names of files, and e-mail addresses. */
const ADDRESS =
  /(?:\bhttps?:\/\/|\bwww\.)[^\s<>()[\]"'`]+|(?<![\p{L}\p{N}_.+@-])[\p{L}\p{N}_.+@-]*[\p{L}\p{N}_-]\.\p{L}{2,}[\p{L}\p{N}_-]*/giu;

/**
 * Whether sources carry a sentence: nearly all its words, and every number, name and address in it. A lexical check: it
 * finds what is made up, not what is twisted.
 */
export function supportedBy(sentence: string, sources: readonly string[]): boolean {
  const source = sources.join('\n');
  const stems = analyseQuery(sentence);
  if (stems.length === 0) return false;
  const known = new Set(analyseQuery(source));
  for (const stem of analyseQuery(source, 'en')) known.add(stem);
  const share = stems.filter((stem) => known.has(stem)).length / stems.length;
  if (share < SUPPORTED_SHARE_MIN) return false;
  const figures = new Set(figuresOf(source));
  const words = source.toLowerCase();
  return (
    figuresOf(sentence).every((figure) => figures.has(figure)) &&
    namesOf(sentence).every((name) => analyseQuery(name).every((stem) => known.has(stem)) || words.includes(name)) &&
    (sentence.match(ADDRESS) ?? []).every((address) => words.includes(withoutEnd(address).toLowerCase()))
  );
}

/** Numbers as they are meant: `1,000` and `1 000` are 1000. */
function figuresOf(text: string): string[] {
  return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((figure) =>
    /^\d{1,3}(?:,\d{3})+$/.test(figure) ? figure.replaceAll(',', '') : figure,
  );
}

function namesOf(sentence: string): string[] {
  if (NOUNS_HAVE_CAPITALS.has(detectLanguage(sentence))) return [];
  return (sentence.match(NAME) ?? []).map((name) => name.toLowerCase());
}

function withoutEnd(address: string): string {
  return address.replace(/(?<![.,;:!?])[.,;:!?]+$/, '');
}
