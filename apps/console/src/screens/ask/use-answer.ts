import type { Citation, SearchAnswer } from '@cairn/sdk';
import { useEffect, useState } from 'react';
import { cairn } from '../../app/client.ts';
import { handleSignedOut } from '../../app/signed-out.ts';

export interface Question {
  query: string;
  memory_id?: string;
  space_id?: string;
  as_of?: string;
  llm_model?: string;
}

export interface AnswerState {
  text: string;
  citations: Citation[];
  /** Null until the answer is complete. */
  done: SearchAnswer | null;
  error: unknown;
  running: boolean;
}

const NOTHING: AnswerState = { text: '', citations: [], done: null, error: null, running: false };

/** The answer as it is written. Another question, or leaving, ends the work behind the one before. */
export function useAnswer(question: Question | null, attempt: number): AnswerState {
  const [state, setState] = useState<AnswerState>(NOTHING);
  const asked = question === null ? '' : JSON.stringify(question);
  useEffect(() => {
    const leave = new AbortController();
    // What was answered before belongs to another question.
    // oxlint-disable-next-line react/set-state-in-effect
    setState(asked === '' ? NOTHING : { ...NOTHING, running: true });
    if (asked === '') return undefined;
    const read = async () => {
      const stream = cairn.search.stream(
        { ...(JSON.parse(asked) as Question), explain: true },
        { signal: leave.signal },
      );
      for await (const event of stream) {
        if (leave.signal.aborted) return;
        if (event.type === 'sources') setState((known) => ({ ...known, citations: event.citations }));
        else if (event.type === 'token') setState((known) => ({ ...known, text: known.text + event.text }));
        else {
          const done = event;
          setState({ text: done.answer, citations: done.citations, done, error: null, running: false });
        }
      }
    };
    read().catch((error: unknown) => {
      if (leave.signal.aborted) return;
      handleSignedOut(error);
      setState((known) => ({ ...known, error, running: false }));
    });
    return () => leave.abort();
  }, [asked, attempt]);
  return state;
}
