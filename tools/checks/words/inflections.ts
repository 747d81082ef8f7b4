const DEPTH_MAX = 2;

/** Whether a word, or the word that it is a regular form of, satisfies the test: "leases", "leased", "leasing", "latest". */
export function someForm(word: string, test: (form: string) => boolean, depth = DEPTH_MAX): boolean {
  return test(word) || (depth > 0 && baseForms(word).some((base) => someForm(base, test, depth - 1)));
}

/**
 * Words that this one could be a regular form of; most of them are none. Nouns in -er and -ness are no forms but words
 * of their own: that "move" is a term does not make "mover" one.
 */
function baseForms(word: string): string[] {
  const bases: string[] = [];
  const cut = (ending: string, ...replacements: string[]) => {
    if (!word.endsWith(ending)) return;
    const stem = word.slice(0, -ending.length);
    bases.push(...replacements.map((replacement) => stem + replacement));
    if (isDoubled(stem)) bases.push(stem.slice(0, -1));
  };
  if (!word.endsWith('ss')) cut('s', '');
  cut('es', '');
  cut('ies', 'y');
  cut('ed', '', 'e');
  cut('ied', 'y');
  cut('ing', '', 'e');
  cut('est', '', 'e');
  cut('ly', '');
  cut('ily', 'y');
  return bases.filter((base) => base.length > 1);
}

/** "stopp" of "stopped". */
function isDoubled(stem: string): boolean {
  return stem.length > 2 && stem.at(-1) === stem.at(-2);
}
