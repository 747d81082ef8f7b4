import type { RecordField } from './record.ts';

const DATED_MAX_CHARS = 1_500;
const DATE = String.raw`(?:c\. ?)?(?:\d{1,2} [A-Z][a-z]{2,8},? |[A-Z][a-z]{2,8} \d{1,2}, |[A-Z][a-z]{2,8} )?\d{3,4}`;
const BORN = new RegExp(String.raw`\b(?:born|b\.)(?: [\p{Lu}][\p{L} .'’-]{1,60}?[;,])?(?: in| on| at)? (${DATE})`, 'u');
const LIVED = new RegExp(String.raw`\(\s?(?:[^()]{0,80}?[;,] )?(${DATE})\s?[–—-]\s?(${DATE})\s?\)`, 'u');
const FOUNDED = new RegExp(
  String.raw`\b(?:founded|established|incorporated|formed|opened)(?: by [^.,;]{1,60}?)? (?:in|on) (${DATE})`,
  'u',
);
/** What happened to a thing and when, whatever the verb: "built in 1820", "restored by the town in May 1994", "dates from 1820". */
const DATED = new RegExp(
  String.raw`(?<![\p{L}-])(\p{Ll}{3,20})(?: by [^.,;()]{1,60}?)?(?: back)? (?:in|on|from|to|since|around|circa) (?:the year |about |around )?(${DATE})(?!\d)`,
  'giu',
);
const LOCATED =
  /\b(?:located|situated|based|headquartered) (?:in|at|near) (\p{Lu}[\p{L}'’-]+(?:,? (?:of |de |la )?\p{Lu}[\p{L}'’-]+){0,4})/u;
/** What a thing is said to be, without the words before its kind that only praise. */
const DEFINITION =
  /(?:^|[\s)])(?:is|was|are|were) (?:an?|the|one of the) ((?:former |retired |late |professional )?[^.;()]{3,120}?)(?=,? (?:who|which|that|known|best|from|born|in|for|and (?:a|an|the)\b|during|widely|whose|of|at|based|located|founded|with)\b|[.;,(]|$)/u;
/** Endings of adjectives of origin, and those without one. */
const ORIGIN =
  /^(?:\p{Lu}\p{L}+(?:ian|ean|an|ese|ish|i)|English|French|German|Dutch|Welsh|Greek|Swiss|Czech|Thai|Filipino|Icelandic|Slovak|Slovene|Croat|Serb|Turk|Basque|Catalan|New Zealand|British|Irish|Scottish)(?:[-–](?:born|\p{Lu}\p{L}+))?$/u;

/** What a first paragraph says in the usual ways: when someone was born and died, from where and what they are. */
export function proseFields(name: string, paragraph: string): { fields: RecordField[]; definition: string } {
  const text = paragraph.slice(0, 600);
  const definition = firstSentence(text);
  if (!isAbout(name, definition)) return { fields: [], definition: '' };
  const fields: RecordField[] = [];
  const add = (label: string, value: string | undefined) => {
    if (value !== undefined && value.trim() !== '') fields.push({ label, value: value.trim(), origin: 'prose' });
  };
  const lived = LIVED.exec(definition);
  add('born', BORN.exec(definition)?.[1] ?? lived?.[1]);
  add('died', lived?.[2]);
  add('founded', FOUNDED.exec(text)?.[1]);
  add('location', LOCATED.exec(text)?.[1]);
  const said = DEFINITION.exec(definition.replace(/\([^()]{0,300}\)/g, ' '))?.[1];
  if (said !== undefined) {
    const words = said
      .replace(/^(?:(?:former|retired|late|professional|celebrated|noted|famous|award-winning) )+/, '')
      .split(' ');
    const origins = words.filter((word, index) => index < 3 && ORIGIN.test(word));
    const rest = words.slice(words.findLastIndex((word) => origins.includes(word)) + 1);
    add('nationality', origins[0]);
    add('occupation', rest.join(' '));
  }
  return { fields, definition };
}

/** The dated events that sentences of a page tell, each by its verb and once. */
export function datedFields(paragraph: string): RecordField[] {
  const fields = new Map<string, RecordField>();
  const text = paragraph.slice(0, DATED_MAX_CHARS);
  for (let at = 0; at < text.length;) {
    const said = firstSentence(text.slice(at));
    for (const [, verb, value] of said.matchAll(DATED)) {
      const label = verb!.toLowerCase();
      if (!fields.has(label)) fields.set(label, { label, value: value!.trim(), origin: 'prose', said: said.trim() });
    }
    at += Math.max(1, said.length);
  }
  return [...fields.values()];
}

/** The first sentence; a point after an initial or an abbreviation ends none. */
function firstSentence(text: string): string {
  for (const end of text.matchAll(/[.!?](?=\s+["“(]?\p{Lu}|\s*$)/gu)) {
    const before = text.slice(0, end.index);
    if (/(?:^|[\s(.])(?:\p{L}|c|St|Dr|Mr|Mrs|Ms|Jr|Sr|Prof|vs|no|ca|b)$/u.test(before)) continue;
    return text.slice(0, end.index + 1);
  }
  return text.slice(0, 400);
}

function withoutBrackets(name: string): string {
  const at = name.indexOf(' (');
  return at > 0 && name.endsWith(')') ? name.slice(0, at) : name;
}

/** Whether a sentence begins with the name, or with its first or last word. */
function isAbout(name: string, sentence: string): boolean {
  const bare = withoutBrackets(name);
  const opening = sentence.slice(0, bare.length + 60);
  if (opening.includes(bare)) return true;
  const words = bare.split(/\s+/);
  return words.length > 1 && opening.includes(words[0]!) && opening.includes(words.at(-1)!);
}
