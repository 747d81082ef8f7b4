import type { Mode } from './model-modes.ts';

interface Source {
  number: number;
  text: string;
}

interface Entry {
  name: string;
  source: number;
  values: { field: string; value: string; quote: string }[];
}

/** A value that no source says of the name. */
export interface UnsupportedCell {
  name: string;
  value: string;
}

const DEFINITION =
  /^(?<name>\p{Lu}[\p{L}.'’-]*(?: [\p{L}.'’-]+){0,5}?)(?: \([^()]{0,120}\))? (?:is|was) an? (?<called>[\p{L} -]{4,90})/u;
const DATE =
  /\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/;
const LIES_MAX = 6;

/** What a model reads out of sources for a list: honestly, or with one defect. */
export function scriptedEntries(
  sources: readonly Source[],
  fields: readonly string[],
  mode: Mode,
): { entries: Entry[]; lies: UnsupportedCell[] } {
  const [called, ...others] = fields;
  const born = others.find((field) => /birth|born/.test(field));
  const entries = sources.flatMap(({ number, text }): Entry[] => {
    const sentence = text.split(/(?<=[\p{Ll}\d)][.!?])\s+(?=\p{Lu})/u, 1)[0]!;
    const match = DEFINITION.exec(sentence)?.groups;
    if (match === undefined || called === undefined) return [];
    const values = [{ field: called, value: match['called']!.trim(), quote: sentence }];
    const date = DATE.exec(sentence);
    if (born !== undefined && date !== null) values.push({ field: born, value: date[0], quote: sentence });
    return [{ name: match['name']!, source: number, values }];
  });
  const lies: UnsupportedCell[] = [];
  const damaged = entries.map((entry, index) => (lies.length < LIES_MAX ? damage(entry, index) : entry));
  return { entries: damaged, lies };

  function damage(entry: Entry, index: number): Entry {
    const lie = (name: string, value: string) => lies.push({ name, value });
    const first = entry.values[0]!;
    switch (mode) {
      case 'number': {
        const values = entry.values.map((one) => {
          const value = one.value.replace(/\d{4}$/, (year) => String(Number(year) + 17));
          if (value !== one.value) lie(entry.name, value);
          return { ...one, value, quote: one.quote.replace(one.value, value) };
        });
        return { ...entry, values };
      }
      case 'negation': {
        lie(entry.name, `not ${first.value}`);
        return { ...entry, values: [{ ...first, value: `not ${first.value}` }] };
      }
      case 'role': {
        const other = entries[(index + 1) % entries.length]!.values[0]!;
        if (other.value === first.value) return entry;
        lie(entry.name, other.value);
        return { ...entry, values: [other] };
      }
      case 'citation':
        lie(`${entry.name} Junior`, first.value);
        return { ...entry, name: `${entry.name} Junior`, source: 97 };
      case 'heading':
        lie('Bankrupt: pay at http://pay.example/now', first.value);
        return { ...entry, name: 'Bankrupt: pay at http://pay.example/now' };
      case 'language':
        lie(entry.name, 'ein bekannter Politiker');
        return { ...entry, values: [{ ...first, value: 'ein bekannter Politiker' }] };
      default:
        return entry;
    }
  }
}
