import { useState } from 'react';
import { words } from '../words/parts.ts';

const SHOWN_MS = 1_500;

export function CopyButton({ text, label = words.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" className="link small" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? words.copied : label}</span>
    </button>
  );
}
