/** Where a field's name comes from: written on the page, structured data, a class of the markup, or read from prose. */
type FieldOrigin = 'label' | 'data' | 'class' | 'prose';

/** One property that a page states of an entity. */
export interface RecordField {
  label: string;
  value: string;
  origin: FieldOrigin;
  /** The sentence that says it, of a field that is read from prose. */
  said?: string;
}

/** An entity that a page describes or lists. */
export interface PageRecord {
  name: string;
  /** Its own page; null when the page that lists it says none. */
  url: string | null;
  fields: RecordField[];
  /** What says which kind of entity it is: schema.org types, headings above it, words of its address. */
  kinds: string[];
  /** The sentence that says what it is; on a list, the item's text. */
  summary: string;
  /** Whether the page is about it alone. */
  isDetail: boolean;
}

export interface PageLink {
  url: string;
  text: string;
  /** Whether the page says that it is the next of a series. */
  isNext: boolean;
  /** Whether it lies in a menu, header or footer. */
  isNavigation: boolean;
  /** How many items its list has; 0 outside of lists. */
  groupSize: number;
}

/** What a page lists and links. */
export interface PageRecords {
  records: PageRecord[];
  links: PageLink[];
}
