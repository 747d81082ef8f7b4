/** A stretch of a request that only says where to look: "in my documents", "don't use the web". */
interface SourcePhrase {
  start: number;
  end: number;
  source: 'own' | 'web';
  /** `only`: nowhere else; `not`: not there. */
  how: 'only' | 'not' | 'there';
  /** Whether it says whose texts they are: "my documents", not "the documents". */
  isOwned: boolean;
}

/** Where a request wants to be looked up. */
export type SourceScope = 'own' | 'web' | 'any';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const OWN = setOf(
  'document documents doc docs file files memory memories knowledge base handbook upload uploads notes offline internally',
);
const WEB = setOf('web internet online');
/** These need no article: "stay offline". */
const PLACELESS = setOf('offline internally online');
const OWNED = setOf('my our own uploaded attached');
const DETERMINERS = setOf('my our own internal uploaded attached the these this those any all saved stored private');
const PREPOSITIONS = setOf('in from within across through with on at into to of inside on');
const VERBS = setOf(
  'use using search searching browse browsing look looking read reading consult consulting access accessing touch go going stay staying rely relying work working based',
);
const ONLY = setOf('only just exclusively solely alone purely');
const NOT = setOf("not no never without don't don’t dont do");
const DO = setOf('do');
const JOINTS = setOf('and or but');
/** What may stand before a verb of looking: it is no part of another clause. */
const BEFORE_VERB = setOf('please by to and or but then');
const OTHER = setOf('other');
const SOURCES = setOf('source sources than nothing');
const TOKEN = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*|[^\s]/gu;
const SIDE_MAX_WORDS = 8;

interface RequestWord {
  lower: string;
  start: number;
  end: number;
}

/** The stretches of a request that only say where to look, in order. */
function sourcePhrasesIn(text: string): SourcePhrase[] {
  const words: RequestWord[] = Array.from(text.matchAll(TOKEN), ({ 0: form, index }) => ({
    lower: form.toLowerCase(),
    start: index,
    end: index + form.length,
  }));
  const phrases: SourcePhrase[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const { lower } = words[at]!;
    if ((!OWN.has(lower) && !WEB.has(lower)) || OWN.has(words[at + 1]?.lower ?? '')) continue;
    const phrase = phraseAt(words, at, phrases.at(-1)?.end ?? 0);
    if (phrase !== null && isInstruction(text, phrase)) phrases.push(phrase);
  }
  return phrases;
}

/** A clause of its own begins here: behind a stop or a comma, or a word that joins orders. */
const CLAUSE_START = /(?:^|[,;:(]|\b(?:please|and|but|then|or))\s*$/i;
/** "people who only work online": the words say something of what is wanted. */
const IN_RELATIVE = /\b(?:who|whom|whose|which|that)\b[^,;:]{0,200}$/i;
/** "How do I search in my files?" is about searching. */
const ASKS_HOW = /^\W{0,3}(?:how|why|can|could|should|may|is|are)\b(?:[^,;:]{0,100}\bI\b|[^,;:]{0,40}$)/i;
const ORDER =
  /^\W{0,3}(?:please\s)?(?:answer|collect|compare|compile|create|describe|explain|find|get|give|list|look|make|research|search|show|summari[sz]e|tell|write)\b/i;

/**
 * Whether a phrase says where to look and not what is asked about: as a clause of its own, or at the end of an order. A
 * source that is only named says so wherever it stands, except behind "How do I …".
 */
function isInstruction(text: string, { start, source, how }: SourcePhrase): boolean {
  const lead = text
    .slice(0, start)
    .split(/[.!?\n]/)
    .at(-1)!;
  if (CLAUSE_START.test(lead)) return true;
  if (source === 'web' && how !== 'there') return ORDER.test(lead) && !IN_RELATIVE.test(lead);
  return !ASKS_HOW.test(lead);
}

function phraseAt(words: readonly RequestWord[], at: number, floor: number): SourcePhrase | null {
  let from = at;
  while (OWN.has(words[from - 1]?.lower ?? '')) from -= 1;
  const first = from;
  while (from > 0 && at - from < SIDE_MAX_WORDS && words[from - 1]!.start >= floor && isPart(words, from - 1))
    from -= 1;
  let to = at;
  while (ONLY.has(words[to + 1]?.lower ?? '')) to += 1;
  // "the web developers" are no web.
  if (to === at && /^\p{L}/u.test(words[at + 1]?.lower ?? '') && !endsPhrase(words[at + 1]!.lower, words[at]!.lower))
    return null;
  const before = words.slice(from, first).map(({ lower }) => lower);
  const after = words.slice(at + 1, to + 1).map(({ lower }) => lower);
  const has = (set: ReadonlySet<string>) => before.some((word) => set.has(word));
  const isOnly = has(ONLY) || has(OTHER) || before.includes('nothing') || after.length > 0;
  const { lower } = words[at]!;
  const isSourcePhrase = isOnly || has(PREPOSITIONS) || has(VERBS) || (has(NOT) && !has(DO));
  const isPlace =
    has(DETERMINERS) || WEB.has(lower) || (has(VERBS) && isOnly) || (PLACELESS.has(lower) && isSourcePhrase);
  if (!isSourcePhrase || !isPlace) return null;
  if (JOINTS.has(words[from - 1]?.lower ?? '') && (has(VERBS) || has(NOT))) from -= 1;
  const isNot = has(NOT) && !isOnly;
  const isNotOnly = before.some((word, i) => word === 'not' && ONLY.has(before[i + 1] ?? ''));
  const isOffline = OWN.has(lower) && PLACELESS.has(lower);
  return {
    start: words[from]!.start,
    end: words[to]!.end,
    source: WEB.has(lower) ? 'web' : 'own',
    how: isNotOnly ? 'there' : isNot ? 'not' : isOnly || isOffline ? 'only' : 'there',
    isOwned: has(OWNED) && !isNotOnly,
  };
}

/** Whether the word before a source belongs to what only says where to look. */
function isPart(words: readonly RequestWord[], at: number): boolean {
  const { lower } = words[at]!;
  if (DETERMINERS.has(lower) || PREPOSITIONS.has(lower) || ONLY.has(lower) || OTHER.has(lower) || SOURCES.has(lower))
    return true;
  if (NOT.has(lower)) return lower !== 'do' || words[at + 1]?.lower === 'not';
  if (lower === 'please' || (lower === 'but' && words[at - 1]?.lower === 'nothing')) return true;
  if (!VERBS.has(lower)) return false;
  const before = words[at - 1]?.lower;
  return (
    before === undefined ||
    !/^\p{L}/u.test(before) ||
    BEFORE_VERB.has(before) ||
    NOT.has(before) ||
    ONLY.has(before) ||
    lower === 'based' ||
    lower.endsWith('ing')
  );
}

/** Whether a word may follow the phrase, and does not make its noun a part of another: "in my documents who …". */
function endsPhrase(next: string, noun: string): boolean {
  if (noun.endsWith('s') || PLACELESS.has(noun)) return true;
  return (
    PREPOSITIONS.has(next) ||
    JOINTS.has(next) ||
    /^(?:who|whom|whose|which|that|for|with|as|please|is|are|say|says|name|names)$/.test(next)
  );
}

/** The request without the stretches that only say where to look. */
export function withoutSourcePhrases(text: string): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of sourcePhrasesIn(text)) {
    rest += text.slice(from, start);
    from = end;
  }
  return rest + text.slice(from);
}

/**
 * Where a request wants to be looked up. `named`: it, or its configuration, names sites; then "in my documents" leaves
 * room for them.
 */
export function sourceScopeOf(text: string, { named = false }: { named?: boolean } = {}): SourceScope {
  const phrases = sourcePhrasesIn(text.replace(/\s+/g, ' '));
  const is = (source: 'own' | 'web', how: SourcePhrase['how']) =>
    phrases.some((phrase) => phrase.source === source && phrase.how === how);
  if (is('own', 'only') || is('web', 'not')) return 'own';
  if (is('web', 'only') || is('own', 'not')) return 'web';
  const isThere = phrases.some(({ source, isOwned }) => source === 'own' && isOwned) && !is('web', 'there');
  return isThere && !named ? 'own' : 'any';
}
