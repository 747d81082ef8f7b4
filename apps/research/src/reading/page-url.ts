const URL_MAX_CHARS = 2_000;
const SEGMENTS_MAX = 20;
const SAME_SEGMENT_MAX = 3;
const PARAMETERS_MAX = 12;
/** Parameters that identify the visitor or the referrer, not the page. */
const TRACKING =
  /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|phpsessid|jsessionid|aspsessionid\w*|sid|sessionid|session_id|ref|_ga)$/i;

/** Normalises a URL. Returns null for anything not to be crawled: another protocol, or a URL that only grows. */
export function pageUrl(href: string, base?: string): string | null {
  const url = base === undefined ? URL.parse(href) : URL.parse(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  url.pathname = url.pathname.replace(/;jsessionid=[^/?]*/i, '').replace(/\/{2,}/g, '/');
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  if (url.searchParams.size > PARAMETERS_MAX) return null;
  url.searchParams.sort();
  if (url.searchParams.size === 0) url.search = '';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  const repeats = Math.max(0, ...counts.values());
  if (url.href.length > URL_MAX_CHARS || segments.length > SEGMENTS_MAX || repeats > SAME_SEGMENT_MAX) return null;
  return url.href;
}

const MONTH_IN_PATH =
  /(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])/gi;

/** The shape of a URL, equal for pages of one template: numbers, months and parameter values are ignored. */
export function shapeOf(href: string): string {
  const url = new URL(href);
  const path = url.pathname
    .replace(MONTH_IN_PATH, '#')
    .replace(/\d+/g, '#')
    .replace(/[0-9a-f]{16,}/gi, '#');
  const names = [...url.searchParams.keys()].sort().join('&');
  return `${url.host}${path}${names === '' ? '' : `?${names}`}`;
}

/** The site of a URL, without `www.`. A crawl stays on the sites it was given. */
export function siteOf(href: string): string {
  return new URL(href).host.replace(/^www\./, '');
}
