import { addressesIn } from '../analysis/web-options.ts';
import { type Bound, boundOf } from './bounds.ts';
import { oneLine } from './dom.ts';

/** Which entities of a site a prompt wants, and which columns of each. */
export interface RowQuery {
  /** The nouns that say what each entity is; any of them will do. */
  kinds: string[];
  /** Words that each entity must be described by. */
  qualifiers: string[];
  /** Bounds on years and amounts. */
  bounds: Bound[];
  columns: string[];
}

const COLUMNS_MAX = 20;
const ASKING =
  /\b(?:collect|list|find|get|extract|gather|compile|scrape|show|return|fetch|name|make (?:me )?(?:a |an )?(?:list|table|directory|catalogue|catalog|overview) of|build (?:a |an )?(?:list|table|directory|catalogue|catalog|overview) of|create (?:a |an )?(?:list|table) of|give me|i need|i want|i would like|who are|what are|which are)\b/i;
const QUANTITY =
  /^(?:(?:me|us|a|an|the|all|every|each|any|of|complete|full|list|table|single|different|available|listed|these|those|data|details|information|on|about)\s+)+/i;
const COLUMNS_AFTER =
  /(?:\b(?:and|then) )?(?:(?<=\p{L}):|(?:\bwith(?! (?:more|less|fewer|over|under|above|below|at (?:least|most)|up to|between)\b)(?: the| their| its| these| a)*(?: following)?(?: columns?| fields?)?|\bin(?: the)? columns|\bincluding(?: the| their| its)?|\bcolumns?|\bfields?|\b(?:and )?(?:for|of) each(?: one| of them| [\p{L}]+)?,?(?: give| note| record| list| collect| state| say| add)?(?: me)?(?: the| its| their)?|\balong with(?: the| their| its)?|\btogether with(?: the| their| its)?|\b(?:and|giving|noting|stating|showing|give|note|state|record|add)(?: the| their| its)|\band(?= (?:when|where) (?:they|it|each) ))(?::|\b)) ?/iu;
const FOR_EACH =
  /\bfor (?:each|every) ([\p{L} -]{2,60}?)(?: (?:on|of|in|at) (?:this|the) [\p{L} ]{2,30})?,? (?:please )?(?:collect|give|list|note|get|record|extract|find|state|return)(?: me)? (?:the |its |their )?/iu;
const COLUMNS_OF = /^(?:the )?([\p{L}, -]{3,120}?) (?:of|for) (?:all|every|each|the) (?=\p{L})/iu;
const SITE =
  /\b(?:of|on|in|from|at|that|which) (?:(?:is|are) (?:listed|shown|described) (?:on|in|by) )?(?:this |that |the )?(?:whole |entire |given )?(?:web ?site|site|archive|directory|catalogue|catalog|page|pages|shop|store|portal|list|database|collection|index|register|encyclopa?edia|wiki|address|url|link)s?\b/giu;
/** Where a noun phrase ends and what restricts it begins. */
const RESTRICTION =
  /\s(?=(?:in|from|by|at|of|who|that|which|whose|born|published|released|founded|established|built|opened|under|over|after|before|since|between|for|with|based|located|made|living|working|about|costing|priced|below|above|cheaper|having)\b)/iu;

/** A prompt that wants all of a kind, or properties of each. */
const WANTS_ALL =
  /\b(?:all|every|each|any|list|table|directory|catalogue|catalog|collect|extract|gather|compile|scrape)\b/i;

/** What a prompt asks to collect; null when it names no entities, so that pages are what it is about. */
export function rowQueryOf(prompt: string): RowQuery | null {
  const query = WANTS_ALL.test(prompt) || /\bcolumns?\b/i.test(prompt) ? parseQuery(prompt) : null;
  return query !== null && (query.columns.length > 0 || /\b(?:all|every|each)\b/i.test(prompt)) ? query : null;
}

function parseQuery(prompt: string): RowQuery | null {
  const sentence = withoutAddresses(prompt);
  const each = FOR_EACH.exec(sentence);
  if (each !== null) return queryFrom(each[1]!, sentence.slice(each.index + each[0].length));
  const asked = ASKING.exec(sentence);
  if (asked === null) return null;
  const rest = oneLine(sentence.slice(asked.index + asked[0].length)).replace(SITE, ' ');
  const columnsFirst = COLUMNS_OF.exec(rest.trim());
  if (columnsFirst !== null && /,| and |s$/.test(columnsFirst[1]!))
    return queryFrom(rest.trim().slice(columnsFirst[0].length), columnsFirst[1]!);
  const cut = COLUMNS_AFTER.exec(rest);
  const wanted = (cut === null ? rest : rest.slice(0, cut.index)).trim();
  // "List what it says about …" asks for statements.
  if (/^(?:what|how|why|whether|where|when)\b/i.test(wanted)) return null;
  return queryFrom(wanted, cut === null ? '' : rest.slice(cut.index + cut[0].length));
}

function withoutAddresses(prompt: string): string {
  let text = prompt;
  for (const address of addressesIn(prompt))
    text = text.replaceAll(address, ' ').replaceAll(address.replace(/\/$/, ''), ' ');
  return oneLine(text.replace(/https?:\/\/\S+/g, ' '));
}

function queryFrom(wanted: string, listed: string): RowQuery | null {
  const phrase = oneLine(
    wanted
      .replace(SITE, ' ')
      .replace(
        /\b(?:that (?:is|are) )?(?:listed|shown|mentioned|described|presented)? ?(?:here|there)\b|\blisted$/gi,
        ' ',
      )
      .replace(/[.?!:;,]$/, ''),
  )
    .replace(QUANTITY, '')
    .replace(/ (?:on|of|in|from|at)$/i, '');
  const [head = '', ...restrictions] = phrase.split(RESTRICTION);
  const { kinds, qualifiers } = nounsOf(head);
  if (kinds.length === 0) return null;
  const bounds: Bound[] = [];
  for (const restriction of restrictions) {
    const bound = boundOf(restriction, restrictions);
    if (bound !== null) bounds.push(bound);
    else qualifiers.push(...wordsIn(restriction).filter((word) => !EMPTY.has(word.toLowerCase())));
  }
  return { kinds, qualifiers: [...new Set(qualifiers)], bounds, columns: columnsOf(listed) };
}

const EMPTY: ReadonlySet<string> = new Set(
  'in from by at of who that which whose is are was were the a an and or for with based located made living working about born published released founded established built opened having under over below above site their its this these have has been they it on listed mentioned described after before since between'.split(
    ' ',
  ),
);

/** The nouns and what qualifies them: "American football players and coaches" are players or coaches. */
function nounsOf(head: string): { kinds: string[]; qualifiers: string[] } {
  const parts = head
    .split(/,| and | or |[/&]/i)
    .map((part) => wordsIn(part).filter((word) => !EMPTY.has(word.toLowerCase())));
  const named = parts.filter((words) => words.length > 0);
  const kinds = named.map((words) => words.at(-1)!);
  return { kinds, qualifiers: named.flatMap((words) => words.slice(0, -1)) };
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
}

/** The columns of an enumeration: "profession, nationality and year of birth". */
function columnsOf(listed: string): string[] {
  const sentence = listed.split(
    /[.?!](?:\s|$)|\b(?:as a|as an|in a|of (?:all|every|each)|from (?:the|this)|on (?:the|this)|where|if)\b/i,
    1,
  )[0]!;
  const columns = sentence
    .split(/[,;|/&\n]|\band\b|\bplus\b|\bas well as\b/i)
    .map((column) =>
      oneLine(column)
        .replace(/["“”`():]/g, '')
        .replace(
          /^(?:(?:the|their|its|his|her|each|a|an|columns?|fields?|following|they|it|one|(?:were|was|is|are)) )+/i,
          '',
        )
        .trim()
        .replace(/ (?:of|on|in|from|at|by|for)$/i, ''),
    )
    .filter((column) => column !== '' && column.length <= 60 && column.split(' ').length <= 6);
  return [...new Set(columns)].slice(0, COLUMNS_MAX);
}
