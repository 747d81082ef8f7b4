import { CITY, type Lexicon, PLACE } from '../learned/lexicon.ts';

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
const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  us: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  america: 'US',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  uk: 'GB',
  'u.k.': 'GB',
  britain: 'GB',
  'great britain': 'GB',
};

function countryCodes(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const codes = new Map(Object.entries(OTHER_NAMES));
  for (let a = 65; a < 91; a++)
    for (let b = 65; b < 91; b++) {
      const code = String.fromCharCode(a, b);
      const name = names.of(code);
      if (name !== undefined) codes.set(name.toLowerCase(), code);
    }
  return codes;
}

type Extent = 'wide' | 'town' | 'unknown';

/** Where places lie, by the gazetteer: countries, states of the US, and cities with the countries that have one so named. */
export class Places {
  private readonly lexicon: Lexicon;
  private readonly countries = countryCodes();

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  private where(place: string): { wide: boolean; codes: string[] } | null {
    const state = STATES.get(place);
    if (state !== undefined) return { wide: true, codes: [`US-${state}`] };
    const country = this.countries.get(place);
    if (country !== undefined) return { wide: true, codes: [country] };
    const codes = this.lexicon.countriesOf(place);
    return codes === undefined ? null : { wide: false, codes: codes.split(' ') };
  }

  extent(place: string): Extent {
    const lower = place.toLowerCase();
    const where = this.where(lower);
    if (where !== null) return where.wide ? 'wide' : 'town';
    const entry = this.lexicon.entry(lower);
    if ((entry & CITY) !== 0) return 'town';
    return (entry & PLACE) === 0 ? 'unknown' : 'wide';
  }

  /** True when neither can lie in the other; null when that is not known. */
  areApart(a: string, b: string): boolean | null {
    const one = this.where(a.toLowerCase());
    const other = this.where(b.toLowerCase());
    if (one === null || other === null) return null;
    if (!one.wide && !other.wide) return null;
    return !one.codes.some((code) => other.codes.some((with_) => within(code, with_) || within(with_, code)));
  }
}

function within(code: string, country: string): boolean {
  return code === country || code.startsWith(`${country}-`);
}
