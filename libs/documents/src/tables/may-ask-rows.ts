import { areRelated, isFiller } from './concepts.ts';
import { normalForm, nameWords, wordsOf } from './words.ts';

const QUESTION_MAX_CHARS = 500;
/** Words that compute over rows or choose among them. */
const COMPUTES =
  /^(?:many|much|count|number|total|sum|average|mean|median|share|percentage|percent|proportion|per|most|least|fewest|top|(?:high|low|large|small|great|long|short|old|young|new|late|earl[iy]|cheap|heav[iy]|light|fast|slow|bigg?|tall)[a-z]?est)$/;

/**
 * Whether a question may be one to the table of some of its rows, each written as `name: value; name: value`: it
 * computes, or says a name of a column or a cell of them. Much cheaper than to read the whole table and ask it.
 */
export function mayAskRows(question: string, rows: readonly string[]): boolean {
  if (question.length > QUESTION_MAX_CHARS || rows.length === 0) return false;
  const words = wordsOf(question).filter(({ stem }) => !isFiller(stem) || COMPUTES.test(stem));
  if (words.some(({ lower }) => COMPUTES.test(lower))) return true;
  const said = ` ${words.map(({ stem }) => stem).join(' ')} `;
  return rows.some((row) =>
    row.split('; ').some((part) => {
      const at = part.indexOf(': ');
      const names = at < 0 ? [] : nameWords(part.slice(0, at));
      const cell = normalForm(part.slice(at < 0 ? 0 : at + 2));
      if (cell !== '' && said.includes(` ${cell} `)) return true;
      return names.some(({ root }) => words.some((word) => areRelated(word.root, root)));
    }),
  );
}
