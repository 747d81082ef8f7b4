const FEED = /<(?:rss|feed|rdf:RDF)[\s>]/i;

/** Whether a media type is that of an RSS or Atom feed. */
export function isFeedType(mediaType: string): boolean {
  return /^application\/(?:rss|atom|rdf)\+xml$/i.test(mediaType.split(';', 1)[0]!.trim());
}

/** Whether an XML text begins as an RSS or Atom feed does. */
export function isFeed(xml: string): boolean {
  return FEED.test(xml.slice(0, 2_000));
}
