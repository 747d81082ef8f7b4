import { DEMONYM, GIVEN, type Lexicon } from '../learned/lexicon.ts';
import { isMonthOrDay } from '../text/dates.ts';
import { hasLetter } from '../learned/words.ts';
import { startsUpper } from '../text/characters.ts';
import type { ParsedSentence, Token } from '../tree/sentence.ts';
import { INSIDE, OUTSIDE } from './detector.ts';
import type { NameSpan } from './name.ts';
import { isWholeQuotation } from './quotes.ts';
import { takeTitles } from './titles.ts';

const POST_NOMINALS = new Set(
  (
    'II III IV MD M.D. PhD Ph.D. DPhil MBA Esq Esq. CBE OBE MBE DBE KBE KCB KCMG CMG KC QC KB KG GCB FRS FRSE CC OC AO ' +
    'AM AC MP MPP DSO RN'
  ).split(' '),
);

const TITLES = new Set(
  (
    'mr mrs ms dr prof sir dame lord lady president ceo cto cfo chairman chief executive officer director minister ' +
    'senator captain general king queen prince princess judge governor mayor professor mr. mrs. ms. dr. prof.'
  ).split(' '),
);
const ROLE_WORDS = new Set(
  (
    'ceo cto cfo coo chairman chairwoman founder co-founder president director senator professor mr mrs ms dr prof ' +
    'mr. mrs. ms. dr. prof. actor actress singer author businessman'
  ).split(' '),
);
const ROLE_ADJECTIVES = new Set(
  'chief executive vice senior managing general deputy assistant special former'.split(' '),
);
const POSTS = new Set(
  (
    'officer instructor member professor emeritus director fellow manager minister secretary treasurer lecturer ' +
    'counsel partner principal president chairman editor engineer scientist consultant analyst coach captain judge ' +
    'attorney associate advisor adviser administrator coordinator executive chancellor vice chair candidate ' +
    'representative'
  ).split(' '),
);
const ROLE_LINKS = new Set(['of', 'at', 'for']);
const EDGES = new Set("of the and & in at for a an by to with 's ’s".split(' '));
const LEGAL_ENDINGS = new Set('Inc Ltd LLC LLP PC PLC L.P S.A Jr Sr Inc. Ltd. L.P. S.A. Jr. Sr.'.split(' '));
const QUOTES_OPEN = new Set(['"', '“', '(', "'"]);
const QUOTES_CLOSE = new Set(['"', '”', ')', "'"]);
const MARK_SIGNS = new Set(['-', '_', '=', '*', '#', '~']);
const SIGNS = new Set(['.', ',', ';', ':', "'", '"', '(', ')', '“', '”']);

function isProper(token: Token): boolean {
  return token.tag === 'NNP' || token.tag === 'NNPS';
}

/** From the detector's marks to names whose ends are where names end. */
export function nameSpans(
  sentence: ParsedSentence,
  marks: Int32Array,
  quoted: Int32Array,
  lexicon: Lexicon,
): NameSpan[] {
  const { tokens } = sentence;
  const marked = markedSpans(marks);
  const spans = [...marked, ...properSpans(tokens, marked, lexicon)].sort((a, b) => a.from - b.from);
  for (let k = 0; k < spans.length; k++) {
    const span = spans[k]!;
    extendLeft(tokens, span, k > 0 ? spans[k - 1]!.to : 0, lexicon);
    while (tokens[span.to]?.form === ',' && LEGAL_ENDINGS.has(tokens[span.to + 1]?.form ?? '')) {
      span.to += 2;
      if (spans[k + 1] !== undefined && spans[k + 1]!.from < span.to) spans.splice(k + 1, 1);
    }
  }
  joinFlat(tokens, spans);
  takeTitles(tokens, quoted, spans);
  for (const span of spans) if (!isWholeQuotation(quoted, span.from, span.to)) trim(tokens, span);
  return joinNicknames(
    tokens,
    spans.filter((span) => isName(tokens, span, lexicon) && !isPostNominal(tokens, span) && !isMark(tokens, span)),
    quoted,
    lexicon,
  );
}

/** "Anna Berg, M.D.": letters after a name, which name nobody. */
function isPostNominal(tokens: readonly Token[], { from, to }: NameSpan): boolean {
  const before = tokens[from - 1];
  return (
    to - from === 1 &&
    POST_NOMINALS.has(tokens[from]!.form) &&
    before !== undefined &&
    (before.form === ',' || isProper(before))
  );
}

/** "-BEGIN-", "__END__": capitals between signs that touch them on both sides mark a place in a text. */
function isMark(tokens: readonly Token[], { from, to }: NameSpan): boolean {
  const before = tokens[from - 1];
  const after = tokens[to];
  if (before === undefined || after === undefined || before.form !== after.form) return false;
  if (!MARK_SIGNS.has(before.form[0]!) || before.end !== tokens[from]!.start || after.start !== tokens[to - 1]!.end)
    return false;
  return (
    tokens[from - 2]?.end !== before.start && tokens.slice(from, to).every(({ form }) => form === form.toUpperCase())
  );
}

function markedSpans(marks: Int32Array): NameSpan[] {
  const spans: NameSpan[] = [];
  let open = false;
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] === OUTSIDE) open = false;
    else if (open && marks[i] === INSIDE) spans.at(-1)!.to = i + 1;
    else {
      spans.push({ from: i, to: i + 1, weak: false });
      open = true;
    }
  }
  return spans;
}

/** Proper nouns that the detector left out. */
function properSpans(tokens: readonly Token[], marked: readonly NameSpan[], lexicon: Lexicon): NameSpan[] {
  const taken = new Uint8Array(tokens.length);
  for (const { from, to } of marked) taken.fill(1, from, to);
  const fits = (i: number) =>
    i < tokens.length &&
    taken[i] === 0 &&
    isProper(tokens[i]!) &&
    startsUpper(tokens[i]!.form) &&
    !isMonthOrDay(tokens[i]!.lower);
  const spans: NameSpan[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (!fits(i) || TITLES.has(tokens[i]!.lower) || lexicon.has(tokens[i]!.lower, DEMONYM)) continue;
    let to = i + 1;
    while (fits(to)) to++;
    const opener = i === 0 && to === 1 && lexicon.nounKind(tokens[0]!.lower) !== '';
    if (!opener) spans.push({ from: i, to, weak: true });
    i = to - 1;
  }
  return spans;
}

/** A capitalised word right before a name is its beginning, unless it is a word that begins the sentence. */
function extendLeft(tokens: readonly Token[], span: NameSpan, least: number, lexicon: Lexicon): void {
  while (span.from > least) {
    const at = span.from - 1;
    const word = tokens[at]!;
    if (!startsUpper(word.form) || tokens[span.from]!.start - word.end > 1) return;
    if (isMonthOrDay(word.lower) || ROLE_WORDS.has(word.lower) || TITLES.has(word.lower)) return;
    const demonym = lexicon.has(word.lower, DEMONYM);
    if (demonym && !(span.to - span.from >= 2 && at === 0)) return;
    const first = at === 0;
    if (word.tag === 'JJ') {
      if (!first && tokens[span.from]!.tag !== 'NNPS' && !demonym) return;
    } else if (word.tag === 'NN' || word.tag === 'NNS' || word.tag === 'VBG') {
      if (!first || lexicon.nounKind(word.lower) === 'person') return;
    } else if (!isProper(word)) return;
    span.from--;
  }
}

/** Two spans side by side whose words the tree joins are one name. */
function joinFlat(tokens: readonly Token[], spans: NameSpan[]): void {
  for (let k = 0; k + 1 < spans.length; k++) {
    const a = spans[k]!;
    const b = spans[k + 1]!;
    if (b.from !== a.to) continue;
    const flat = (token: Token, to: NameSpan) => token.label === 'flat' && token.head >= to.from && token.head < to.to;
    if (!tokens.slice(b.from, b.to).some((token) => flat(token, a))) continue;
    a.to = b.to;
    spans.splice(k + 1, 1);
    k--;
  }
}

/** Titles and small words at its ends are no part of a name, nor is what lies behind a bracket without its other half. */
function trim(tokens: readonly Token[], span: NameSpan): void {
  const brackets = tokens.slice(span.from, span.to).filter(({ form }) => form === '(' || form === ')');
  if (brackets.length % 2 === 1 && brackets[0]!.index > span.from) span.to = brackets[0]!.index;
  const long = () => span.to - span.from > 1;
  const first = () => tokens[span.from]!;
  const last = () => tokens[span.to - 1]!;
  span.from = afterRole(tokens, span);
  while (long() && ROLE_WORDS.has(first().lower)) span.from++;
  while (long() && ROLE_WORDS.has(last().lower)) span.to--;
  while (long() && ((EDGES.has(first().lower) && first().form !== 'The') || SIGNS.has(first().form))) span.from++;
  while (long() && (EDGES.has(last().lower) || last().form === ',')) span.to--;
}

/** "Chief Executive Officer of Acme": the name begins after the role. */
function afterRole(tokens: readonly Token[], { from, to }: NameSpan): number {
  for (let i = from + 1; i < to - 1; i++) {
    if (!ROLE_LINKS.has(tokens[i]!.lower)) continue;
    const role = tokens[i - 1]!.lower;
    return POSTS.has(role) || ROLE_WORDS.has(role) ? i + 1 : from;
  }
  return from;
}

function isName(tokens: readonly Token[], { from, to }: NameSpan, lexicon: Lexicon): boolean {
  const first = tokens[from]!;
  const last = tokens[to - 1]!;
  if (to - from === 1) {
    if (ROLE_WORDS.has(first.lower) || !hasLetter(first.form)) return false;
    if (first.lower === first.form && !startsUpper(first.form)) return false;
  }
  if (!POSTS.has(last.lower) || to - from > 4 || lexicon.has(first.lower, GIVEN)) return true;
  return tokens.slice(from, to - 1).some(({ lower }) => lexicon.nounKind(lower) === '' && !ROLE_ADJECTIVES.has(lower));
}

/** "John "Jack" Smith" is one name: a nickname in quotes belongs to the given name before it. */
function joinNicknames(tokens: readonly Token[], spans: NameSpan[], quoted: Int32Array, lexicon: Lexicon): NameSpan[] {
  for (let k = 0; k + 1 < spans.length; k++) {
    const a = spans[k]!;
    const sign = tokens[a.to]?.form ?? '';
    if (a.to - a.from > 2 || !QUOTES_OPEN.has(sign)) continue;
    const isQuote = sign === '"' || sign === '“';
    if (isQuote && (quoted[a.to + 1] ?? 0) === 0) continue;
    const first = a.to - a.from === 1 && isQuote;
    if (!first && !lexicon.has(tokens[a.from]!.lower, GIVEN)) continue;
    const b = spans[k + 1]!;
    const c = spans[k + 2];
    const closes = (i: number) => QUOTES_CLOSE.has(tokens[i]?.form ?? '');
    if (b.from - a.to >= 3 && b.from - a.to <= 5 && closes(b.from - 1)) {
      a.to = b.to;
      spans.splice(k + 1, 1);
    } else if (c !== undefined && b.from === a.to + 1 && c.from === b.to + 1 && closes(b.to)) {
      a.to = c.to;
      spans.splice(k + 1, 2);
    }
  }
  return spans;
}
