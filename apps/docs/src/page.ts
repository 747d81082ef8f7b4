/** One page of the site. */
export interface Page {
  /** Its address below /docs; empty for the first page. */
  slug: string;
  title: string;
  /** In the list of pages, where that is shorter. */
  label?: string;
  description?: string;
  /** Markdown without the title; its links lead to pages of the site, or elsewhere. */
  body: string;
  /** For those who want to know how it came to be; the search prefers the others. */
  isBackground?: boolean;
}

export const BASE = '/docs';

/** Where a page is: the address that links to it have. */
export function addressOf(slug: string): string {
  return slug === '' ? BASE : `${BASE}/${slug}`;
}
