import { answerParts } from '../../text/answer-sentences.ts';
import { words } from '../../words/ask.ts';
import type { AnswerState } from './use-answer.ts';

interface AnswerTextProps {
  state: AnswerState;
  /** The citation whose sentence is lit. */
  lit: string | null;
  light: (citationId: string) => void;
}

/** The answer; its numbers are buttons, and the sentence of the one that was chosen is lit. */
export function AnswerText({ state, lit, light }: AnswerTextProps) {
  const known = new Set(state.citations.map(({ citation_id }) => citation_id));
  return (
    <div className="answer" aria-live="polite">
      {answerParts(state.text).map(({ text, citationIds }, index) => {
        const numbers = citationIds.filter((id) => known.has(id));
        // A part has no other name than its place in the answer.
        // oxlint-disable-next-line react/no-array-index-key
        const key = index;
        return (
          <span key={key}>
            <span className="sentence" data-lit={lit !== null && numbers.includes(lit)}>
              {text}
            </span>
            {numbers.map((id) => (
              <button
                key={id}
                type="button"
                className="number"
                aria-pressed={id === lit}
                aria-label={words.citation(id)}
                onClick={() => light(id)}
                onMouseEnter={() => light(id)}
              >
                {id}
              </button>
            ))}
          </span>
        );
      })}
    </div>
  );
}
