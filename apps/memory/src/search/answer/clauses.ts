const CLAUSES_MAX = 3;
/** Below this many words a part is no question of its own. */
const CLAUSE_MIN_WORDS = 3;
// What begins a further question, with a preposition before it perhaps; in the four languages that questions are read in.
const NEXT =
  /\?\s+|(?:[,;]|(?<![,;\s]))\s+(?:and|und|et|y)\s+(?=(?:(?:to|in|by|from|for|with|on|at|of|since|until|zu|in|von|mit|für|seit|bis|à|de|dans|depuis|en|con|desde)\s+)?(?:who|whom|whose|what|when|where|which|why|how|wer|wem|wen|was|wann|wo|wohin|welche[rmns]?|warum|wie|qui|que|quoi|quand|où|quel(?:le)?s?|pourquoi|comment|combien|qui[ée]n|qu[ée]|cu[áa]ndo|d[óo]nde|cu[áa]l|cu[áa]nt[oa]s?|c[óo]mo)(?!\p{L}))/iu;

/** The questions that one text asks: “Who built it, and what did it cost?” are two. */
export function clausesOf(question: string): string[] {
  const parts = question.split(NEXT).map((part) => part.trim());
  const whole = parts.every((part) => part.split(/\s+/).length >= CLAUSE_MIN_WORDS);
  return whole && parts.length <= CLAUSES_MAX ? parts : [question];
}
