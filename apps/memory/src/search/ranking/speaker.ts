import { isCommon, wordKind } from '../../text/lexicon.ts';
import { analyseQuery } from '../../text/analyse.ts';

// A name of one to four capitalised words before a colon, as transcripts and chats write it.
const LABEL = /^\s*(?:\[[^\]\n]{1,40}\]\s*)?(\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,3}):\s/u;
/** A row of a table says `Name: value; Name: value`. */
const ROW = /^[^\n]*;\s*\p{Lu}[^\n:;]{0,40}:\s/u;
const TALK_READ_CHARS = 400;
const TALK =
  /[?!]|(?<!\p{L})(?:i|i['’]\p{L}+|me|my|you|you['’]\p{L}+|your|we|us|our|ich|mich|mein|du|dein|wir|uns|je|j['’]\p{L}+|mon|tu|nous|vous|yo|mi|tú|nosotros)(?!\p{L})/iu;
const OF_ONESELF = /(?<!\p{L})(?:i|i['’]\p{L}+|me|my|ich|mich|mein|je|j['’]\p{L}+|mon|yo)(?!\p{L})/iu;

const ADDRESSED = /(?<!\p{L})(?:you|your|yours|du|dir|dein\p{L}*|tu|ton|ta|tes|vous|votre|tú|tu|tus|usted)(?!\p{L})/iu;
/** “Can you tell me”, which says nothing of whom the question is about. */
const REQUEST = /(?<!\p{L})(?:can|could|will|would) you (?:please )?(?:\p{L}+ )(?:me|us)(?!\p{L})/giu;

/** Labels of the sides of a dialogue with a program, and of the one that is a person. */
const ROLE = /^\s*(?:user|assistant|human|ai|bot):\s/i;
const PERSON = /^\s*(?:user|human):\s/i;

/** Whether a text is a turn of a conversation, said by somebody or by one side of a dialogue with a program. */
export function isTurn(body: string): boolean {
  return ROLE.test(body) || speakerOf(body) !== null;
}

/** Whether the person said a turn of a dialogue with a program. */
export function isOfPerson(body: string): boolean {
  return PERSON.test(body);
}

/** Whether who asks, asks about himself and not about what he was told: “Where did I park?”, “What is my blood type?”. */
export function asksAboutSelf(question: string): boolean {
  const asked = question.replace(REQUEST, ' ');
  return OF_ONESELF.test(asked) && !ADDRESSED.test(asked);
}

/** Who says a turn, by the label before it; null for a text that is no turn, such as `Version: 4` or a table's row. */
export function speakerOf(body: string): string | null {
  const label = LABEL.exec(body);
  if (label === null || ROW.test(body)) return null;
  const name = label[1]!;
  const words = name.toLowerCase().split(' ');
  const kinds = words.map((word) => wordKind(word));
  if (kinds.some((kind) => kind === 'given' || kind === 'family')) return name;
  // First and last names that no list has, as most of the world's are.
  if (words.length > 1 && words.every((word, at) => kinds[at] === undefined && !isCommon(word))) return name;
  // What is no known name is a label of something else more often than somebody's, unless somebody talks.
  const said = body.slice(label[0].length, label[0].length + TALK_READ_CHARS);
  const isWord = kinds.every((kind) => kind !== undefined && kind !== 'agent');
  return (isWord ? OF_ONESELF : TALK).test(said) ? name : null;
}

/** True when the question has every word of the name. */
export function namesSpeaker(questionStems: ReadonlySet<string>, speaker: string): boolean {
  const name = analyseQuery(speaker, 'en');
  return name.length > 0 && name.every((stem) => questionStems.has(stem));
}
