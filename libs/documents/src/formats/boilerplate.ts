/** Short lines that pages put around an article: credits, buttons, notices. Longer text is never taken for one. */
const LINE_MAX_CHARS = 220;
const PATTERNS = [
  /^(?:©|\(c\)|copyright\b)/i,
  /\ball rights reserved\b/i,
  /^(?:photo|image|picture|credit|photograph|source|foto|bild|crédit photo)s?\s*(?:credit|by|courtesy|:|\/)/i,
  /^(?:image|photo|slide)\s*\d+\s*(?:of|\/)\s*(?:\/\s*)?\d+$/i,
  /^(?:close|caption|share|tweet|print|e-?mail|advertisement|sponsored|subscribe|sign in|log in|register|comments?|reply|loading|menu|search|home|next|previous|back to top|read more|see also|more|follow us|newsletter|related(?: (?:articles?|stories|posts|content))?)\b.{0,24}$/i,
  /^(?:share|follow|like|find|join) (?:this|us|me)\b.{0,60}$/i,
  /^(?:published|updated|posted|last (?:updated|modified)|first published)\b.{0,80}$/i,
  /^by [\p{Lu}][\p{L}.' -]{2,60}(?:[-–|,•].{0,60})?$/u,
  /^(?:this (?:post|article|page) (?:may )?contains? affiliate|this document is subject to copyright|citation:)/i,
  /^https?:\/\/\S+$/i,
];

/** True for a line that belongs to the page and not to its content. */
export function isBoilerplate(text: string): boolean {
  return text.length <= LINE_MAX_CHARS && PATTERNS.some((pattern) => pattern.test(text));
}
