interface BarProps {
  /** From 0 to 1. */
  share: number;
  label: string;
  tone?: 'good' | 'warn' | 'bad' | undefined;
}

export function Bar({ share, label, tone }: BarProps) {
  const width = Math.min(Math.max(share, 0), 1) * 100;
  return (
    <svg className={`bar ${tone ?? ''}`} viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect width={width} height="8" />
    </svg>
  );
}

/** A score from 0 to 100 as a tone: the same bounds wherever a score is shown. */
export function toneOf(score: number): 'good' | 'warn' | 'bad' {
  if (score >= 80) return 'good';
  return score >= 50 ? 'warn' : 'bad';
}
