import type { Finding } from './finding.ts';
import { isSecretName, secretNamed } from './secret-names.ts';
import { looksRandom, isFunctionWord, isNoValue, isProse, isSecretUnder } from './value-shapes.ts';

/** What a secret's own parts are called below its name: `secret:` with `value: …` in the next line. */
const VALUE_WORDS: ReadonlySet<string> = new Set(['value', 'data', 'content', 'literal', 'string', 'default', 'plain']);
const LABEL_MAX_CHARS = 66;
const VALUE_MAX_CHARS = 256;
const LINE_MAX_CHARS = 4_000;
const LABEL = /[\p{L}\p{N}][\p{L}\p{N}_.\- ]{0,63}$/u;
const QUOTED = /^["'`]([^"'`\n]{1,256})["'`]/;
const BARE = /^[^\s,;|"'`<>{}[\]]{1,256}/;

interface Line {
  text: string;
  start: number;
}

/** Values of secrets in files of settings, records and tables: what makes them one is the name beside or above them. */
export function findLabelled(text: string): Finding[] {
  const lines = linesOf(text);
  return [...lines.flatMap(assigned), ...nested(lines), ...inColumns(lines)];
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ text: line.slice(0, LINE_MAX_CHARS), start });
    start += line.length + 1;
  }
  return lines;
}

function assigned({ text, start }: Line): Finding[] {
  const findings: Finding[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if ((sign !== '=' && sign !== ':') || text[at + 1] === '=') continue;
    const before = text.slice(Math.max(0, at - LABEL_MAX_CHARS), at).replace(/["'`\]]{1,2}\s{0,3}$|\s{1,3}$/, '');
    const label = LABEL.exec(before)?.[0];
    const line = at > LABEL_MAX_CHARS ? null : secretNamed(text.slice(0, at).replace(MARKS, ''));
    if (label === undefined || (line === null && !isSecretName(lastName(label)))) continue;
    const gap = /^[>=]?\s{0,3}/.exec(text.slice(at + 1))![0].length;
    const value = valueAt(text.slice(at + 1 + gap, at + 1 + gap + VALUE_MAX_CHARS));
    if (value === null) continue;
    const inSettings =
      sign === '=' && gap === 0 && /^\s*(?:export\s+|set\s+|-e\s+)?[\p{L}\p{N}_.-]+$/iu.test(text.slice(0, at));
    const behind = text.slice(at + 1 + gap + value.offset + value.text.length);
    const isAlone = ALONE.test(behind) && line !== null && isSecretUnder(line, value.text);
    // Of several words nothing but a phrase that is quoted by itself is a value.
    if (/\s/.test(value.text) && !(isAlone && !isProse(value.text))) continue;
    if (!isSecretName(lastName(label)) && !isAlone) continue;
    const inRecord = isRecord(text) && secretNamed(lastName(label)) === 'certain';
    if (!inSettings && !isAlone && !value.quoted && !looksRandom(value.text) && !inRecord) continue;
    const from = start + at + 1 + gap + value.offset;
    findings.push({ kind: 'password', start: from, end: from + value.text.length });
  }
  return findings;
}

/** What may stand before a name in its own line: quotes, and marks of lists. */
const MARKS = /^[\s>*\-+"'`]{1,20}|["'`]$/g;
/** Nothing but a comment follows. */
const ALONE = /^["'`]?[.,;]?\s{0,20}(?:\s[#;]|$)/;

/** Several pairs in a line are a record, like a row of a table that was read: any value of theirs counts. */
function isRecord(line: string): boolean {
  return /[^;]{1,80}:\s[^;]{1,200};\s/.test(line);
}

/** The name itself when a sentence stands before it. */
function lastName(label: string): string {
  const words = label.trim().split(/\s+/);
  return words.slice(-2).join(' ');
}

function valueAt(rest: string): { text: string; offset: number; quoted: boolean } | null {
  const quoted = QUOTED.exec(rest)?.[1];
  if (quoted !== undefined) return isNoValue(quoted) ? null : { text: quoted, offset: 1, quoted: true };
  const bare = BARE.exec(rest)?.[0].replace(/(?<![.,;:!?)])[.,;:!?)]+$/, '');
  if (bare === undefined || bare === '' || isNoValue(bare) || isFunctionWord(bare) || /[($]/.test(bare)) return null;
  return { text: bare, offset: 0, quoted: false };
}

/** YAML and the like: a secret's name with nothing behind it, and its value in an indented line below. */
function nested(lines: readonly Line[]): Finding[] {
  const findings: Finding[] = [];
  let under: number | null = null;
  for (const { text, start } of lines) {
    if (text.trim() === '') continue;
    const indent = /^[ \t]*/.exec(text)![0].length;
    if (under !== null && indent <= under) under = null;
    const pair = /^[ \t]*(?:-[ \t]+)?["']?([\p{L}\p{N}_.-]{1,64})["']?[ \t]*:[ \t]*/u.exec(text);
    if (pair !== null && pair[0].length >= text.trimEnd().length) {
      if (under === null && isSecretName(pair[1]!)) under = indent;
    } else if (under !== null) {
      const named = pair === null || VALUE_WORDS.has(pair[1]!.toLowerCase()) || isSecretName(pair[1]!);
      const offset = pair === null ? indent + (/^- */.exec(text.slice(indent))?.[0].length ?? 0) : pair[0].length;
      const value = named ? valueAt(text.slice(offset, offset + VALUE_MAX_CHARS)) : null;
      if (value !== null && value.text.length >= 3 && !/\s/.test(value.text)) {
        const from = start + offset + value.offset;
        findings.push({ kind: 'password', start: from, end: from + value.text.length });
      }
    }
  }
  return findings;
}

const SEPARATORS = ['|', '\t', ';', ','] as const;

/** Cells below a heading that names a secret, in tables of Markdown, CSV and tabs. */
function inColumns(lines: readonly Line[]): Finding[] {
  const findings: Finding[] = [];
  let table: { separator: string; columns: Set<number>; count: number } | null = null;
  for (const { text, start } of lines) {
    if (text.trim() === '') {
      table = null;
      continue;
    }
    if (table === null) {
      table = headingOf(text);
      continue;
    }
    const cells = cellsOf(text, table.separator);
    if (cells.length !== table.count) {
      table = headingOf(text);
      continue;
    }
    cells.forEach(({ text: cell, offset }, index) => {
      const value = table!.columns.has(index) ? cell.replace(/^["'`]|["'`]$/g, '') : '';
      if (value.length < 3 || /^[:-]+$/.test(value) || isNoValue(value) || value.length > VALUE_MAX_CHARS) return;
      const from = start + offset + cell.indexOf(value);
      findings.push({ kind: 'password', start: from, end: from + value.length });
    });
  }
  return findings;
}

const NAME_CELL = /^["'`]?\p{L}[\p{L}\p{N} _.-]{0,60}["'`]?$/u;

function headingOf(text: string): { separator: string; columns: Set<number>; count: number } | null {
  for (const separator of SEPARATORS) {
    if (!text.includes(separator)) continue;
    const cells = cellsOf(text, separator);
    // Lines of a Markdown table begin and end with the separator.
    const names = separator === '|' ? cells.filter(({ text: cell }) => cell !== '') : cells;
    if (names.length < 2 || !names.every(({ text: cell }) => NAME_CELL.test(cell) && cell.split(' ').length <= 4))
      continue;
    const columns = new Set(
      cells.flatMap(({ text: cell }, index) => (isSecretName(cell.replace(/^["'`]|["'`]$/g, '')) ? [index] : [])),
    );
    if (columns.size > 0) return { separator, columns, count: cells.length };
  }
  return null;
}

function cellsOf(text: string, separator: string): { text: string; offset: number }[] {
  let offset = 0;
  return text.split(separator).map((raw) => {
    const cell = { text: raw.trim(), offset: offset + (raw.length - raw.trimStart().length) };
    offset += raw.length + 1;
    return cell;
  });
}

const HEX_KEY =
  /(?<![A-Za-z0-9])(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{48}|[0-9a-fA-F]{64}|[0-9a-fA-F]{96}|[0-9a-fA-F]{128})(?![A-Za-z0-9])/g;
const NEAR_CHARS = 80;
const KEY_WORDS =
  /\b(?:secret|password|passwort|token|credential|private|signing|signature key|encryption|master|hmac|seed|salt|api|access|session|bearer|key)s?\b/i;
const HASH_WORDS =
  /\b(?:sha-?\d*|md5|hash(?:es|ed)?|digest|checksum|commit|revision|etag|fingerprint|integrity|uuid|guid|block|transaction|txid)\b/i;

/** Hexadecimal digits of a key's length, behind a word for a key and no word for a checksum. */
export function findHexKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(HEX_KEY)) {
    const before = text.slice(Math.max(0, match.index - NEAR_CHARS), match.index);
    if (!/\d/.test(match[0]) || !/[a-f]/i.test(match[0])) continue;
    if (KEY_WORDS.test(before) && !HASH_WORDS.test(before))
      findings.push({ kind: 'api_key', start: match.index, end: match.index + match[0].length });
  }
  return findings;
}
