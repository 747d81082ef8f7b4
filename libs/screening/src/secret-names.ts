/** Names whose values are secrets, whatever the values look like. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  'password passwort passwd passphrase passcode pwd pswd kennwort wachtwoord wachtwoordzin motdepasse senha contraseña hasło lösenord adgangskode salasana losungswort secret apikey credential'.split(
    ' ',
  ),
);
/** Endings of compounds such as `Adminpasswort`. */
const COMPOUND = /(?:password|passwort|passphrase|kennwort|wachtwoord)$/;
/** Those that mean something else in prose, and a secret in an identifier like `DB_PASS`. */
const IDENTIFIER_WORDS: ReadonlySet<string> = new Set(['pass', 'pw', 'token', 'auth', 'pin']);
const KEY_KINDS: ReadonlySet<string> = new Set(
  'api access private secret signing encryption auth master account shared service bearer refresh session deploy bot'.split(
    ' ',
  ),
);
/** Words that say which part of a secret a value is: `password value`, `PIN code`. */
const PART_WORDS: ReadonlySet<string> = new Set(['value', 'code', 'text', 'plain', 'plaintext', 'string']);
const NAME_MAX_CHARS = 80;
const WORDS_MAX = 6;
const PHRASES: readonly (readonly [RegExp, string])[] = [[/mot de passe|mots de passe/g, 'motdepasse']];

/** True for a name such as `DB_PASSWORD`, `clientSecret`, `api-key` or `Passwort`. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const [before, last] = [words.at(-2) ?? '', words.at(-1) ?? ''];
  if (isSecretWord(last) || (isIdentifier(name) && IDENTIFIER_WORDS.has(last))) return true;
  return (last === 'key' || last === 'token') && KEY_KINDS.has(before);
}

/** How much the name of a column, a key or an element says of its value. Null when the name says nothing. */
export function secretNamed(name: string): 'certain' | 'likely' | 'possible' | null {
  if (name.length > NAME_MAX_CHARS) return null;
  const strengths = headsOf(name).map(secretHead);
  return STRENGTHS.find((strength) => strengths.includes(strength)) ?? null;
}

const STRENGTHS = ['certain', 'likely', 'possible'] as const;

/** The bare name and an identifier are certain; in prose, "reset password" and "my password" are topics as well. */
function secretHead(name: string): 'certain' | 'likely' | 'possible' | null {
  const words = wordsOf(name);
  if (words.length === 0 || words.length > WORDS_MAX) return null;
  if (words.length > 1 && PART_WORDS.has(words.at(-1)!)) words.pop();
  const [before, own] = [words.at(-2) ?? '', words.at(-1)!];
  const last = singular(own);
  if (last === 'credential' || (last === 'secret' && words.length === 1)) return 'possible';
  const isBare = (words.length === 1 && own === last) || isIdentifier(name);
  if (isSecretWord(last) || last === 'pw') return isBare ? 'certain' : 'likely';
  if (last === 'pass') return words.length === 1 ? 'likely' : isIdentifier(name) ? 'certain' : null;
  if (IDENTIFIER_WORDS.has(last)) return 'possible';
  return last === 'key' && KEY_KINDS.has(before) ? 'possible' : null;
}

/** The names in `User / Password`, each without what is said about it: `Password (new)`, `password for the VPN`. */
function headsOf(name: string): string[] {
  return name
    .replace(/[([{][^()[\]{}]*[)\]}]?/g, ' ')
    .split(/[/&,|+]/)
    .map((part) =>
      part.split(/\s(?:for|of|to|on|in|at|from|für|zu|von|voor|van|de|du|del|pour|para)\s/i, 1)[0]!.trim(),
    );
}

function isSecretWord(word: string): boolean {
  const one = singular(word);
  return SECRET_WORDS.has(one) || COMPOUND.test(one);
}

function singular(word: string): string {
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function isIdentifier(name: string): boolean {
  return /[_.-]|[a-z][A-Z]|^[A-Z0-9]{2,}$/.test(name.trim()) && !/\s/.test(name.trim());
}

/** The words of a name, of prose or an identifier, in small letters and without numbers. */
export function wordsOf(name: string): string[] {
  let text = name
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
  for (const [phrase, word] of PHRASES) text = text.replace(phrase, word);
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d{1,20}$/, ''))
    .filter((word) => word !== '');
}
