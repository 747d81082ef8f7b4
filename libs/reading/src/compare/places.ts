import { CITY, type Lexicon, PLACE } from '../learned/lexicon.ts';
import type { PlaceValue } from './values.ts';

const STATES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    alabama: 'AL',
    alaska: 'AK',
    arizona: 'AZ',
    arkansas: 'AR',
    california: 'CA',
    colorado: 'CO',
    connecticut: 'CT',
    delaware: 'DE',
    florida: 'FL',
    hawaii: 'HI',
    idaho: 'ID',
    illinois: 'IL',
    indiana: 'IN',
    iowa: 'IA',
    kansas: 'KS',
    kentucky: 'KY',
    louisiana: 'LA',
    maine: 'ME',
    maryland: 'MD',
    massachusetts: 'MA',
    michigan: 'MI',
    minnesota: 'MN',
    mississippi: 'MS',
    missouri: 'MO',
    montana: 'MT',
    nebraska: 'NE',
    nevada: 'NV',
    'new hampshire': 'NH',
    'new jersey': 'NJ',
    'new mexico': 'NM',
    'north carolina': 'NC',
    'north dakota': 'ND',
    ohio: 'OH',
    oklahoma: 'OK',
    oregon: 'OR',
    pennsylvania: 'PA',
    'rhode island': 'RI',
    'south carolina': 'SC',
    'south dakota': 'SD',
    tennessee: 'TN',
    texas: 'TX',
    utah: 'UT',
    vermont: 'VT',
    virginia: 'VA',
    'west virginia': 'WV',
    wisconsin: 'WI',
    wyoming: 'WY',
  }),
);
/** As they are written after the name of a town: "Villa Rica, GA". */
/** `LA` is a town, too, `DE` and `CA` are countries. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['LA', 'DE', 'CA']);
const ABBREVIATIONS: ReadonlySet<string> = new Set([...STATES.values(), 'NY', 'GA', 'WA', 'DC']);
/** Countries by other names than their own, and the countries of the United Kingdom by ISO 3166-2. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  us: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  america: 'US',
  england: 'GB-ENG',
  scotland: 'GB-SCT',
  wales: 'GB-WLS',
  'northern ireland': 'GB-NIR',
  uk: 'GB',
  'u.k.': 'GB',
  britain: 'GB',
  'great britain': 'GB',
};

/** ISO 3166 codes by the English names of countries in lower case. */
export function countryCodes(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const codes = new Map(Object.entries(OTHER_NAMES));
  for (let a = 65; a < 91; a++)
    for (let b = 65; b < 91; b++) {
      // Codes that are no longer used, such as FX for France, stand for those of today.
      const code = new Intl.Locale('und', { region: String.fromCharCode(a, b) }).region!;
      const name = names.of(code);
      if (name !== undefined) codes.set(name.toLowerCase(), code);
    }
  return codes;
}

/** Where places lie, by the gazetteer: countries, their regions, states of the US, and cities with the countries that have one so named. */
export class Places {
  private readonly lexicon: Lexicon;
  private readonly countries = countryCodes();

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  /** Each of `texts` after the first is a place that the first is said to lie in. */
  named(texts: readonly [string, ...string[]]): PlaceValue {
    const [text, ...within] = texts;
    const lower = text.toLowerCase();
    if (AMBIGUOUS.has(text)) return { text, within, extent: 'unknown', codes: [] };
    const state = STATES.get(lower) ?? (ABBREVIATIONS.has(text) ? text : undefined);
    if (state !== undefined) return { text, within, extent: 'wide', codes: [`US-${state}`] };
    const country = this.countries.get(lower);
    if (country !== undefined) return { text, within, extent: 'wide', codes: [country] };
    const region = this.lexicon.codesOfRegion(lower);
    if (region !== undefined) return { text, within, extent: 'wide', codes: region.split(' ') };
    const codes = this.lexicon.countriesOf(lower);
    if (codes !== undefined) return { text, within, extent: 'town', codes: codes.split(' ') };
    const entry = this.lexicon.entry(lower);
    const extent = (entry & CITY) !== 0 ? 'town' : (entry & PLACE) === 0 ? 'unknown' : 'wide';
    return { text, within, extent, codes: [] };
  }
}
