/**
 * A word of a text before its language is known. `plain` words are stemmed and may be stop words; exact ones
 * are terms as they are (numbers, identifiers, CJK bigrams, dates). Exact terms beside a word share its position.
 */
export interface IndexWord {
  text: string;
  plain: boolean;
  position: number;
}
