/** What a cell writes as a number, before it is known which of its marks begins the decimals. */
export interface Numeral {
  /** Digits with `.` and `,` as they stand, without other separators. */
  digits: string;
  /** What it is multiplied by: the sign, and thousand or million. */
  factor: number;
  /** Empty where there is none. */
  unit: string;
  /** The mark before the decimals, where the digits show it. */
  mark: '.' | ',' | null;
  /** The mark that may be either: `1.234`. */
  open: '.' | ',' | null;
}

const CELL_MAX_CHARS = 40;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const OTHER_SIGNS: ReadonlySet<string> = new Set([
  'US$',
  'kr',
  'kr.',
  'Rs',
  'Rs.',
  'Fr',
  'Fr.',
  'R$',
  'A$',
  'C$',
  'zł',
  'Kč',
  'Ft',
  'lei',
]);
const SCALES: ReadonlyMap<string, number> = new Map([
  ...['k', 'K', 'tsd', 'Tsd', 'thousand', 'Thousand'].map((word) => [word, 1e3] as const),
  ...['M', 'mn', 'mln', 'mio', 'Mio', 'million', 'Million', 'millions'].map((word) => [word, 1e6] as const),
  ...['bn', 'Bn', 'B', 'mrd', 'Mrd', 'billion', 'Billion', 'billions'].map((word) => [word, 1e9] as const),
]);

/** The number that a cell is; null when it is none, or has more around it than a sign, a scale and one unit. */
export function numeralIn(cell: string): Numeral | null {
  if (cell.length > CELL_MAX_CHARS || !/\d/.test(cell)) return null;
  const text = cell.trim().replace(/[−–]/g, '-');
  const isBracketed = text.startsWith('(') && text.endsWith(')');
  const bare = isBracketed ? text.slice(1, -1).trim() : text;
  const found = /[.,]?\d/.exec(bare);
  if (found === null) return null;
  const core = coreAt(bare, found.index);
  const before = bare.slice(0, found.index).trim();
  const behind = bare.slice(found.index + core.length);
  const sign = signOf(before, behind);
  if (sign === null || (isBracketed && sign.isNegative)) return null;
  const units = unitOf(sign.before, sign.behind, /^\S/.test(behind));
  const written = digitsOf(core);
  if (units === null || written === null) return null;
  const factor = units.scale * (sign.isNegative || isBracketed ? -1 : 1);
  return { ...written, factor, unit: units.unit };
}

/** The digits with all that separates them, up to the last digit. */
function coreAt(text: string, start: number): string {
  const exponent = /^\d{1,15}(?:\.\d{1,20})?[eE][-+]?\d{1,3}(?![\p{L}\d])/u.exec(text.slice(start))?.[0];
  if (exponent !== undefined) return exponent;
  const run = /^[\d.,'’ \u00a0\u202f]+/.exec(text.slice(start))?.[0] ?? '';
  let end = run.length;
  while (end > 0 && !/\d/.test(run[end - 1]!)) end -= 1;
  return run.slice(0, end);
}

function signOf(before: string, behind: string): { before: string; behind: string; isNegative: boolean } | null {
  const signs = [...before].filter((sign) => sign === '-' || sign === '+');
  const rest = before.replace(/[-+]/g, '').trim();
  // `5,-` and `5.–` are whole amounts, `5-` is a negative one.
  const whole = /^[.,]-{1,2}/.exec(behind)?.[0] ?? '';
  const tail = behind.slice(whole.length).trim();
  const isBehind = tail.startsWith('-');
  if (signs.length > 1 || (isBehind && signs.length > 0)) return null;
  return { before: rest, behind: isBehind ? tail.slice(1).trim() : tail, isNegative: isBehind || signs[0] === '-' };
}

function unitOf(before: string, behind: string, isGlued: boolean): { unit: string; scale: number } | null {
  const currency = before === '' ? '' : currencyOf(before);
  if (currency === null) return null;
  if (behind === '') return { unit: currency, scale: 1 };
  const [first = '', second = '', ...more] = behind.split(/\s+/);
  if (more.length > 0) return null;
  // `k€`, `MEUR`
  const joined = /^([kM])(.{1,3})$/u.exec(first);
  const inner = joined === null ? null : currencyOf(joined[2]!);
  if (joined !== null && inner !== null && second === '' && currency === '')
    return { unit: inner, scale: SCALES.get(joined[1]!)! };
  const follows = second === '' ? currency : currencyOf(second);
  if (follows === null || (second !== '' && currency !== '')) return null;
  const scale = scaleOf(first.replace(/\.$/, ''), isGlued, follows !== '');
  if (scale !== null) return { unit: follows, scale };
  if (second !== '') return null;
  const unit = currencyOf(first) ?? (/^(?:[%‰]|[A-Za-z²³°µ/]{1,8}\.?)$/u.test(first) ? first : null);
  return unit === null || currency !== '' ? null : { unit, scale: 1 };
}

/** `300 K` and `5 m` are measures; glued to the digits or with a currency they are thousands and millions. */
function scaleOf(word: string, isGlued: boolean, isMoney: boolean): number | null {
  if (word === 'm') return isMoney ? 1e6 : null;
  if (word === 'B') return isMoney ? 1e9 : null;
  if (/^[KM]$/.test(word) && !isGlued && !isMoney) return null;
  return SCALES.get(word) ?? null;
}

/** The code or the sign of a currency; null for any other word. */
function currencyOf(word: string): string | null {
  if (CURRENCIES.has(word.toUpperCase()) && (word === word.toUpperCase() || word === word.toLowerCase()))
    return word.toUpperCase();
  return OTHER_SIGNS.has(word) || /^\p{Sc}$/u.test(word) ? word : null;
}

/** Groups of three, or as India writes them, of two before the last three. */
const GROUPS = /^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:\.\d{3})+)$/;

function digitsOf(core: string): Pick<Numeral, 'digits' | 'mark' | 'open'> | null {
  if (/[eE]/.test(core)) return { digits: String(Number(core)), mark: '.', open: null };
  const spaced = /^\d{1,3}(?:['’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,20})?$/.test(core);
  if (!spaced && !/^[\d.,]+$/.test(core)) return null;
  const digits = core.replace(/['’ \u00a0\u202f]/g, '');
  const [points, commas] = [count(digits, '.'), count(digits, ',')];
  if (points === 0 && commas === 0) return { digits, mark: null, open: null };
  if (points > 0 && commas > 0) {
    const mark = digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
    const at = digits.lastIndexOf(mark);
    const whole = digits.slice(0, at);
    return count(digits, mark) === 1 && GROUPS.test(whole) && !spaced ? { digits, mark, open: null } : null;
  }
  const separator = points > 0 ? '.' : ',';
  const other = separator === '.' ? ',' : '.';
  if (points + commas > 1) return GROUPS.test(digits) && !spaced ? { digits, mark: other, open: null } : null;
  const [whole = '', rest = ''] = digits.split(separator);
  const isOpen = rest.length === 3 && whole.length <= 3 && whole !== '' && !whole.startsWith('0') && !spaced;
  return isOpen ? { digits, mark: null, open: separator } : { digits, mark: separator, open: null };
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
