import type { Syntax } from '@cairn/reading';
import { ASKING_VERBS, WORKING_VERBS } from './request-words.ts';
import { sentenceKind, type SentenceKind, withoutMannerPhrase } from './sentence-kind.ts';

/** A label before a colon that says how, not what: "Structure: short sections". */
const LABELS = new Set(
  'structure format length language tone style output columns layout note scope audience deadline sources please tip ps'.split(
    ' ',
  ),
);

/** The clauses of a sentence that are for different things: "Be brief: what is a fjord, and how deep is it?" */
export function clausesOf(syntax: Syntax, sentence: string): SentenceKind[] {
  const colon = /[:—–]\s/.exec(sentence);
  if (colon !== null) {
    const before = sentence.slice(0, colon.index);
    const after = sentence.slice(colon.index + 1).trim();
    if (LABELS.has(before.trim().toLowerCase())) return [{ kind: 'instruction', text: sentence }];
    const first = sentenceKind(syntax, before);
    if (first.kind === 'instruction') return [first, ...clausesOf(syntax, after)];
    const isList = /,| and /.test(after) && !/[?]/.test(after);
    if (first.kind === 'task' && isList) return [{ kind: 'task', text: `${first.text}: ${after}` }];
    const below = clausesOf(syntax, after);
    if (below.some(({ kind }) => kind === 'question')) return below.map((one) => under(one, first.text));
  }
  return questionsIn(sentence).flatMap((part) => peeled(syntax, part));
}

function under(one: SentenceKind, subject: string): SentenceKind {
  return one.kind === 'question' ? { ...one, text: `${one.text} (${subject})` } : one;
}

const FURTHER_QUESTION =
  /,? (?:and|or) (?=(?:what|who|which|whom|whose|when|where|why|how|is|are|does|do|did|can|should)\b)|, ?(?=(?:what|who|which|when|where|why|how)\b)/i;

/** Whatever follows a word of these alone is another question. */
const BARE_QUESTION = /^(?:why|how|when|where|who)(?: not)?(?:[?.!]|$|,? (?:and|or) )/i;
const ASKS = /^(?:what|who|whom|whose|which|when|where|why|how|is|are|does|do|did|can|should)\b/i;

/** A sentence of several questions, split where a new one begins. */
function questionsIn(sentence: string): string[] {
  // "Explain what it costs and how it works" is one clause that asks for two things; the verb goes with the first.
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: joint } of sentence.matchAll(new RegExp(FURTHER_QUESTION, 'gi'))) {
    // "How did it change, and why?": a word alone asks nothing without what it is about.
    if (BARE_QUESTION.test(sentence.slice(index + joint.length))) continue;
    parts.push(sentence.slice(from, index).trim());
    from = index + joint.length;
  }
  parts.push(sentence.slice(from).trim());
  const isAsked = parts.at(-1)!.endsWith('?');
  return parts
    .filter((part) => part !== '')
    .map((part) => (isAsked && ASKS.test(part) && !part.endsWith('?') ? `${part}?` : part));
}

/** Splits phrases from both ends of a clause that only say how it is to be answered. */
function peeled(syntax: Syntax, clause: string): SentenceKind[] {
  const pieces = clause.split(/, (?:and (?!(?:why|how|when|where|who)\b))?/);
  const before: SentenceKind[] = [];
  const after: SentenceKind[] = [];
  const closing =
    /^(?:thanks|thank you|cheers|regards|(?:best|kind|many) (?:regards|wishes|thanks)|sincerely|yours)\b/i;
  if (closing.test(clause)) return [{ kind: 'instruction', text: clause }];
  const isManner = (piece: string) => sentenceKind(syntax, piece).kind === 'instruction';
  while (pieces.length > 1 && isManner(pieces[0]!)) before.push({ kind: 'instruction', text: pieces.shift()! });
  while (pieces.length > 1 && isManner(pieces.at(-1)!)) after.unshift({ kind: 'instruction', text: pieces.pop()! });
  const [asked, further] = atNextImperative(pieces.join(', '));
  const read = sentenceKind(syntax, asked);
  const more = further === null ? [] : clausesOf(syntax, further);
  if (read.kind !== 'task') return [...before, read, ...more, ...after];
  const { text, manner } = withoutMannerPhrase(syntax, read.text);
  const said = manner.map((phrase): SentenceKind => ({ kind: 'instruction', text: phrase }));
  return [...before, { kind: 'task', text }, ...said, ...more, ...after];
}

/** "Compare the ports and give me a table": two things are asked for. */
function atNextImperative(clause: string): [string, string | null] {
  for (const { index, 0: joint } of clause.matchAll(/(?:,? and|, then|;) (?=\p{L}+ )/giu)) {
    const rest = clause.slice(index + joint.length);
    const [word, next] = rest.toLowerCase().split(' ', 2) as [string, string | undefined];
    const takes = ['the', 'all', 'every', 'me', 'us', 'a', 'an', 'their', 'its', 'any', 'your'].includes(next ?? '');
    const isNoun =
      !takes &&
      [
        'list',
        'report',
        'work',
        'review',
        'address',
        'detail',
        'state',
        'answer',
        'limit',
        'name',
        'research',
        'search',
        'study',
        'use',
        'produce',
      ].includes(word);
    if (!isNoun && (ASKING_VERBS.has(word) || WORKING_VERBS.has(word)) && !['be', 'have', 'do'].includes(word))
      return [clause.slice(0, index), rest];
  }
  return [clause, null];
}
