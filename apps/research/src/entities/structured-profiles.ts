import { parse } from 'csv-parse/sync';
import type { Attribute } from './attributes.ts';
import { type Fact, type Profile, type ProfileSource, quoteOf } from './profile.ts';

type FactKind = Attribute;

/** Names of columns and fields, and the facts they state. */
const FIELDS: readonly (readonly [RegExp, FactKind])[] = [
  [/^(?:full ?name|name|person|employee|member|company|company ?name|organi[sz]ation)$/, 'name'],
  [/^(?:first ?name|given ?name|forename)$/, 'given'],
  [/^(?:last ?name|family ?name|surname)$/, 'family'],
  [/^(?:role|title|job ?title|position|function|occupation)$/, 'role'],
  [/^(?:location|city|office|place|based|residence|town|address ?locality|headquarters|hq)$/, 'location'],
  [/^(?:employer|works ?for|current ?employer|current ?company)$/, 'employer'],
  [/^(?:previous ?employers?|former ?employers?|past ?employers?)$/, 'former_employer'],
  [/^(?:education|university|alumni ?of|school|degree)$/, 'education'],
  [/^(?:languages?|knows ?language|speaks)$/, 'language'],
  [/^(?:experience|years|years ?of ?experience|experience ?years)$/, 'experience_years'],
  [/^(?:skills?|knows ?about|expertise|technologies|stack)$/, 'skill'],
  [/^(?:industry|sector|business|branch|description|products?)$/, 'industry'],
  [/^(?:employees|size|headcount|staff|number ?of ?employees)$/, 'employees'],
  [/^(?:founded|founding ?date|established|founding ?year)$/, 'founded'],
  [/^(?:e-?mail|mail)$/, 'email'],
  [/^(?:website|url|homepage)$/, 'website'],
];
const LISTS: ReadonlySet<FactKind> = new Set(['language', 'skill', 'education', 'former_employer']);
const ROWS_MAX = 20_000;
const ROW_PARTS_MAX = 21;
const LABELLED = /^[^:]{1,40}:[ \t]/;
/** Most nodes read from one JSON-LD block. */
const NODES_MAX = 2_000;

function fieldOf(label: string): FactKind | null {
  const plain = label.replace(/[_-]+/g, ' ').replace(/\s+/g, ' ').trim().toLowerCase();
  return FIELDS.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

/**
 * Profiles in tables and structured data: CSV, rows of `Key: value; Key: value`, Markdown tables, schema.org JSON-LD.
 */
export function structuredProfiles(source: ProfileSource): Profile[] {
  return [...csvProfiles(source), ...rowProfiles(source), ...tableProfiles(source), ...jsonLdProfiles(source)];
}

/** The entries of a row become a profile when they contain a name and at least one fact. */
function profileFrom(
  source: ProfileSource,
  entries: readonly (readonly [label: string, value: string])[],
  quote: string,
  start: number,
): Profile | null {
  const parts: Record<string, string> = {};
  const facts: Fact[] = [];
  for (const [label, raw] of entries) {
    const kind = fieldOf(label);
    const value = raw.trim();
    if (kind === null || value === '') continue;
    if (kind === 'name' || kind === 'given' || kind === 'family') parts[kind] ??= value;
    else
      for (const item of LISTS.has(kind) ? value.split(/(?<!\s)\s*[;,/|]\s*/) : [value])
        facts.push({
          kind,
          value: item,
          current: kind !== 'former_employer',
          confidence: 1,
          quote: quoteOf(source, start, quote),
        });
  }
  const name = parts['name'] ?? [parts['given'], parts['family']].filter(Boolean).join(' ');
  if (name === '' || name.length > 80 || facts.length === 0) return null;
  return { name, facts, statements: [quoteOf(source, start, quote)] };
}

function csvProfiles(source: ProfileSource): Profile[] {
  const lines = source.body.split('\n');
  const at = lines.findIndex((line) => {
    const labels = line.split(/[,;\t]/).map((label) => fieldOf(label.replace(/^"|"$/g, '')));
    return labels.filter((label) => label !== null).length >= 2 && labels.some((l) => l === 'name' || l === 'given');
  });
  if (at < 0) return [];
  const delimiter = [',', ';', '\t'].sort((a, b) => lines[at]!.split(b).length - lines[at]!.split(a).length)[0]!;
  let start = lines.slice(0, at + 1).reduce((sum, line) => sum + line.length + 1, 0);
  const header = cellsOf(lines[at]!, delimiter);
  const profiles: Profile[] = [];
  for (const line of lines.slice(at + 1, at + 1 + ROWS_MAX)) {
    const cells = cellsOf(line, delimiter);
    if (cells.length >= 2) {
      const entries = header.map((label, index) => [label, cells[index] ?? ''] as const);
      const profile = profileFrom(source, entries, line.trim(), start + line.indexOf(line.trim()));
      if (profile !== null) profiles.push(profile);
    }
    start += line.length + 1;
  }
  return profiles;
}

function cellsOf(line: string, delimiter: string): string[] {
  try {
    return (parse(line, { delimiter, relax_quotes: true, relax_column_count: true }) as string[][])[0] ?? [];
  } catch {
    return [];
  }
}

function rowProfiles(source: ProfileSource): Profile[] {
  const profiles: Profile[] = [];
  let start = 0;
  for (const line of source.body.split('\n')) {
    const row = rowIn(line);
    const entries = row === null ? null : entriesOf(row.text);
    const profile = entries === null ? null : profileFrom(source, entries, row!.text, start + row!.start);
    if (profile !== null) profiles.push(profile);
    start += line.length + 1;
  }
  return profiles;
}

/** A line without its list marker and trailing semicolon; null for a line that cannot be a row. */
function rowIn(line: string): { text: string; start: number } | null {
  if (!line.includes(': ') || !line.includes(';')) return null;
  const start = /^[ \t]*(?:[-*]\s+)?/.exec(line)![0].length;
  const text = line.slice(start).trimEnd();
  return { text: text.endsWith(';') ? text.slice(0, -1) : text, start };
}

/** The labelled parts of a row; null for running text. */
function entriesOf(row: string): (readonly [label: string, value: string])[] | null {
  const parts = row.split(';');
  if (parts.length < 2 || parts.length > ROW_PARTS_MAX) return null;
  if (!parts.every((part) => LABELLED.test(part.trimStart()))) return null;
  return parts.map((part) => {
    const colon = part.indexOf(':');
    return [part.slice(0, colon), part.slice(colon + 1)] as const;
  });
}

function tableProfiles(source: ProfileSource): Profile[] {
  const profiles: Profile[] = [];
  let header: string[] | null = null;
  let start = 0;
  for (const line of source.body.split('\n')) {
    const isRow = /^\s*\|.*\|\s*$/.test(line);
    if (isRow && !/^[\s|:-]+$/.test(line)) {
      const cells = line
        .trim()
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      if (header === null) header = cells;
      else {
        const entries = header.map((label, index) => [label, cells[index] ?? ''] as const);
        const quote = line.trim();
        const profile = profileFrom(source, entries, quote, start + line.indexOf(quote));
        if (profile !== null) profiles.push(profile);
      }
    } else if (!isRow) header = null;
    start += line.length + 1;
  }
  return profiles;
}

const PERSON_FIELDS: Readonly<Record<string, string>> = {
  jobTitle: 'role',
  worksFor: 'employer',
  address: 'location',
  homeLocation: 'location',
  workLocation: 'location',
  alumniOf: 'education',
  knowsLanguage: 'language',
  knowsAbout: 'skill',
  email: 'email',
  industry: 'industry',
  description: 'industry',
  numberOfEmployees: 'employees',
  foundingDate: 'founded',
  url: 'website',
};
const PERSON_TYPES = /^(?:Person|Organization|Corporation|LocalBusiness|Company)$/;

function jsonLdProfiles(source: ProfileSource): Profile[] {
  const blocks = fencedJson(source.body);
  if (/^\s*[[{]/.test(source.body)) blocks.push(source.body);
  return blocks.flatMap((block) => {
    try {
      return [...nodesOf(JSON.parse(block) as unknown)]
        .slice(0, NODES_MAX)
        .flatMap((node) => jsonLdProfile(source, node) ?? []);
    } catch {
      return [];
    }
  });
}

const FENCE = '```json\n';

function fencedJson(body: string): string[] {
  const blocks: string[] = [];
  for (let at = body.indexOf(FENCE); at >= 0;) {
    const end = body.indexOf('\n```', at + FENCE.length);
    if (end < 0) break;
    blocks.push(body.slice(at + FENCE.length, end));
    at = body.indexOf(FENCE, end);
  }
  return blocks;
}

function* nodesOf(value: unknown, depth = 0): Generator<Record<string, unknown>> {
  if (depth > 12 || value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) {
    const node = value as Record<string, unknown>;
    const types = [node['@type']].flat();
    if (types.some((type) => typeof type === 'string' && PERSON_TYPES.test(type)) && typeof node['name'] === 'string')
      yield node;
  }
  for (const inner of Object.values(value)) yield* nodesOf(inner, depth + 1);
}

function jsonLdProfile(source: ProfileSource, node: Record<string, unknown>): Profile | null {
  const name = String(node['name']);
  const at = source.body.indexOf(JSON.stringify(name));
  const isPerson = [node['@type']].flat().includes('Person');
  const facts: Fact[] = [];
  for (const [field, kind] of Object.entries(PERSON_FIELDS)) {
    if (isPerson && (kind === 'industry' || kind === 'employees')) continue;
    for (const value of [node[field]].flat().flatMap(textsOf)) {
      // The quote begins with the name's own entry, so that it covers the facts.
      const place = source.body.indexOf(JSON.stringify(value).slice(1, -1), Math.max(0, at));
      const start = place < 0 ? Math.max(0, at) : place;
      const quote = place < 0 ? JSON.stringify(name) : source.body.slice(start, start + value.length);
      facts.push({
        kind,
        value,
        current: true,
        confidence: 1,
        quote: quoteOf(source, start, quote),
      });
    }
  }
  if (facts.length === 0) return null;
  return { name, facts, statements: facts.map(({ quote }) => quote) };
}

/** The text of a schema.org value: itself, or the name or location of the thing. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (value === null || typeof value !== 'object') return [];
  const node = value as Record<string, unknown>;
  return ['name', 'addressLocality', 'addressCountry', 'value'].flatMap((field) => {
    const inner = node[field];
    return typeof inner === 'string' || typeof inner === 'number' ? [String(inner)] : [];
  });
}
