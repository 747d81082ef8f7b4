interface AnswerPart {
  text: string;
  /** The citations whose numbers stand at the end of this part. */
  citationIds: string[];
}

/** A full stop behind a number belongs to the sentence before it. */
const NUMBERS = /(?:\s?\[\d{1,3}\])+([.!?]*)/g;

/** An answer cut behind the numbers of its citations, `[1]`, which are taken out of the text. */
export function answerParts(answer: string): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let from = 0;
  for (const match of answer.matchAll(NUMBERS)) {
    const citationIds = [...match[0].matchAll(/\d+/g)].map(([number]) => number);
    parts.push({ text: answer.slice(from, match.index) + match[1]!, citationIds });
    from = match.index + match[0].length;
  }
  const rest = answer.slice(from);
  return rest.trim() === '' ? parts : [...parts, { text: rest, citationIds: [] }];
}
