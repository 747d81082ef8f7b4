const URL_MAX_CHARS = 2_000;
const SEGMENTS_MAX = 20;
const SAME_SEGMENT_MAX = 3;
const PARAMETERS_MAX = 12;
/** Parameters that name the visitor or where they came from, not the page. */
const TRACKING =
  /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|phpsessid|jsessionid|aspsessionid\w*|sid|sessionid|session_id|ref|_ga)$/i;

/** One spelling for each page; null for what is no page to fetch: another protocol, or an address that only grows. */
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

/** What pages have in common that one template makes: numbers and the values of parameters do not count. */
export function shapeOf(href: string): string {
  const url = new URL(href);
  const path = url.pathname.replace(/\d+/g, '#').replace(/[0-9a-f]{16,}/gi, '#');
  const names = [...url.searchParams.keys()].sort().join('&');
  return `${url.host}${path}${names === '' ? '' : `?${names}`}`;
}

/** A crawl stays on the sites it was given; `www.` makes no other site. */
export function siteOf(href: string): string {
  return new URL(href).host.replace(/^www\./, '');
}
