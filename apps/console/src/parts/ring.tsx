import { toneOf } from './bar.tsx';

const RADIUS = 36;
const AROUND = 2 * Math.PI * RADIUS;

/** A score from 0 to 100 as a ring, with its number inside. */
export function Ring({ score, label }: { score: number; label: string }) {
  return (
    <svg className={`ring ${toneOf(score)}`} viewBox="0 0 88 88" role="img" aria-label={label}>
      <circle cx="44" cy="44" r={RADIUS} />
      <circle
        cx="44"
        cy="44"
        r={RADIUS}
        strokeDasharray={`${(AROUND * score) / 100} ${AROUND}`}
        transform="rotate(-90 44 44)"
      />
      <text x="44" y="51">
        {Math.round(score)}
      </text>
    </svg>
  );
}
