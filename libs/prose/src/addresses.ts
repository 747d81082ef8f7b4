import tlds from 'tlds' with { type: 'json' };
import { foldWord } from './fold.ts';
import { type HostRun, hostRuns } from './host-runs.ts';
import type { Range } from './markup.ts';

/** Stands where an address was. */
const OMITTED_ADDRESS = '…';

const TOP_LEVEL: ReadonlySet<string> = new Set(tlds);

/** Schemes that lead somewhere even without a slash behind them. */
const SCHEMES: ReadonlySet<string> = new Set(
  'http https ws wss ftp ftps sftp file data javascript vbscript mailto tel sms callto facetime skype xmpp sip magnet blob view-source'.split(
    ' ',
  ),
);
const SCHEME_MAX_CHARS = 32;
/** A scheme, or its last word where punctuation stands right before it. */
const SCHEME_BEFORE_COLON = [
  // pattern-bound: 32 chars — only SCHEME_MAX_CHARS before a colon are looked at
  /[a-z][a-z0-9+.-]*$/i,
  /(?<![a-z-])[a-z-]+$/i,
  /(?<![a-z])[a-z]+$/i,
];
const PREFIX_LENGTH = /^\/\d{1,2}(?:[.,;:!?)\]}"'”’*_…]|$)/;
const OPENING: ReadonlySet<string> = new Set('([{<"\'“‘«„*_~|');
const CLOSING: ReadonlySet<string> = new Set(')]}>"\'”’»*_~|.,;:!?…');
const CITATION_AT_END = /\[\d{1,3}\]$/;

/**
 * Replaces every address that can be followed or fetched, in code and in disguise too, and puts what is only named,
 * domains and e-mail addresses, into code spans.
 */
export function neutralizeAddresses(text: string, codeIn: (text: string) => Range[]): string {
  const omitted = text.replace(/\S+/g, withoutFollowed);
  return omitted === text ? namedAsCode(text, codeIn) : omitted;
}

function withoutFollowed(word: string): string {
  const at = followedAt(word);
  if (at !== -1) return word.slice(0, at) + OMITTED_ADDRESS + closingOf(word.slice(at));
  if (followedAt(foldWord(word)) === -1) return word;
  return openingOf(word) + OMITTED_ADDRESS + closingOf(word);
}

/** Where in a word without spaces an address begins that can be followed; -1 where none does. */
function followedAt(word: string): number {
  const starts = [schemeAt(word), doubleSlashAt(word), wwwAt(word), hostWithPathAt(word)].filter((at) => at !== -1);
  return starts.length === 0 ? -1 : Math.min(...starts);
}

function schemeAt(word: string): number {
  for (let colon = word.indexOf(':'); colon !== -1; colon = word.indexOf(':', colon + 1)) {
    const next = word[colon + 1];
    if (next === undefined) return -1;
    const before = word.slice(Math.max(0, colon - SCHEME_MAX_CHARS), colon);
    const schemes = SCHEME_BEFORE_COLON.flatMap((pattern) => pattern.exec(before)?.[0] ?? []);
    const slashed = next === '/' || next === '\\';
    const leading = schemes.find((each) => SCHEMES.has(each.toLowerCase()) || (slashed && each.length > 1));
    if (leading !== undefined && next !== ':') return colon - leading.length;
  }
  return -1;
}

/** `//host` and `\\host`, mixed ones too; inside of a word they are a typing error or a path. */
function doubleSlashAt(word: string): number {
  const match = /(?:^|[^\p{L}\p{N}/\\])([/\\]{2,})[^/\\]/u.exec(word);
  return match === null ? -1 : match.index + match[0].indexOf(match[1]!);
}

function wwwAt(word: string): number {
  const match = /(?:^|[^\p{L}\p{N}])(www\d{0,3}\.)[^.]/iu.exec(word);
  return match === null ? -1 : match.index + match[0].indexOf(match[1]!);
}

/** `host/path`, `host?query`, `host#part`, with or without a port or a user name. */
function hostWithPathAt(word: string): number {
  for (const run of hostRuns(word)) {
    const rest = word.slice(run.end).replace(/^:\d{1,5}(?!\d)/, '');
    if (!/^[/?#\\][^\s]/.test(rest)) continue;
    if (run.isNumeric ? !PREFIX_LENGTH.test(rest) : run.hasTopLevel && (rest[0] !== '?' || rest.length > 2))
      return run.start;
  }
  return -1;
}

function namedAsCode(text: string, codeIn: (text: string) => Range[]): string {
  let result = '';
  let position = 0;
  let code: Range[] | null = null;
  for (const run of hostRuns(text)) {
    if (run.isNumeric || !(run.hasLocalPart || leads(run))) continue;
    code ??= codeIn(text);
    const inCode = code.some(({ start, end }) => run.start >= start && run.start < end);
    if (inCode) continue;
    // A backslash would make the first mark of the span a character.
    let before = run.start;
    while (before > position && text[before - 1] === '\\') before -= 1;
    result += `${text.slice(position, before)}\`${text.slice(run.start, run.end)}\``;
    position = run.end;
  }
  return result + text.slice(position);
}

function leads({ topLevel }: HostRun): boolean {
  return TOP_LEVEL.has(topLevel) || topLevel.startsWith('xn--');
}

function openingOf(word: string): string {
  let end = 0;
  while (end < word.length && OPENING.has(word[end]!)) end += 1;
  return word.slice(0, end);
}

/** The punctuation that ends or encloses an address, with the citations that follow it. */
function closingOf(word: string): string {
  let start = word.length;
  for (;;) {
    const citation = CITATION_AT_END.exec(word.slice(Math.max(0, start - 5), start));
    if (citation !== null) start -= citation[0].length;
    else if (start > 0 && CLOSING.has(word[start - 1]!)) start -= 1;
    else return word.slice(start);
  }
}
