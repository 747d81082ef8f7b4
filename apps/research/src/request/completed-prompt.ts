import type { Syntax, Token } from '@cairn/reading';
import type { MissingContext, ContextReader } from './missing-context.ts';

/** A prompt and what its asker said to a question about it. */
export interface CompletedPrompt {
  prompt: string;
  /** What the answer says beside what the prompt now says itself. */
  answer: string;
}

/** A prompt with what it had left unsaid: "What about their head office?" and "Acme" are one about Acme's head office. */
export function completedPrompt(
  { syntax, reader }: Pick<ContextReader, 'syntax' | 'reader'>,
  prompt: string,
  unsaid: MissingContext,
  answer: string,
): CompletedPrompt {
  if (unsaid.kind === 'nothing') return { prompt: `${answer}\n${prompt}`, answer: '' };
  if (unsaid.kind === 'fragment') return { prompt, answer };
  const [first = '', ...more] = syntax.parse(answer).map(({ start, end }) => answer.slice(start, end));
  if (isNounPhrase(syntax, first)) {
    const referent = first.replace(/[.!]$/, '').trim();
    return { prompt: withReferent(syntax, prompt, unsaid.phrases, referent), answer: more.join(' ') };
  }
  // "It is called Acme": the name that a sentence says; a question of its own stays one.
  const [named] = /\?\s*$/.test(first) ? [] : reader.read(first).names;
  if (named === undefined) return { prompt, answer };
  const rest = [first.slice(named.end), ...more].join(' ').replace(/^[\s.,;:!]+/, '');
  const referent = named.text.replace(/\.$/, '');
  return { prompt: withReferent(syntax, prompt, unsaid.phrases, referent), answer: rest };
}

function isNounPhrase(syntax: Syntax, text: string): boolean {
  if (/\?\s*$/.test(text)) return false;
  const tokens = syntax.parse(text).flatMap((sentence) => sentence.tokens);
  const isClause = ({ tag, label }: Token) =>
    (/^(?:VB[PZD]?|MD)$/.test(tag) && label !== 'acl:relcl') || (tag === 'PRP' && label !== 'obl');
  return tokens.some(({ noun, tag }) => noun || tag === 'CD') && !tokens.some(isClause);
}

/** The prompt with what is meant in place of the words that point at it. */
function withReferent(syntax: Syntax, prompt: string, phrases: readonly string[], referent: string): string {
  const tokens = syntax.parse(prompt).flatMap((sentence) => sentence.tokens);
  let said = '';
  let from = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const { start, tag } = tokens[at]!;
    const words = phrases
      .map((phrase) => phrase.split(' '))
      .find((some) => some.every((word, i) => tokens[at + i]?.lower === word));
    if (words === undefined) continue;
    at += words.length - 1;
    said += `${prompt.slice(from, start)}${referent}${tag === 'PRP$' ? '’s' : ''}`;
    from = tokens[at]!.end;
  }
  return said + prompt.slice(from);
}
