import { useState } from 'react';
import { words } from '../words/parts.ts';

const SHOWN_MS = 1_500;

/** Nothing on a page that came by plain http from another machine: browsers keep the clipboard from it. */
export function CopyButton({ text, label = words.copy }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null);
  if (!isSecureContext) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
      setTimeout(() => setOutcome(null), SHOWN_MS);
    } catch {
      setOutcome('notCopied');
    }
  };
  return (
    <button type="button" className="link small" onClick={() => void copy()}>
      <span aria-live="polite">{outcome === null ? label : words[outcome]}</span>
    </button>
  );
}
