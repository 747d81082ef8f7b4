interface LinePlotProps {
  /** In any order. */
  points: readonly { at: number; value: number }[];
  label: string;
  /** The value at the top; the highest one when it is not given. */
  most?: number;
}

const WIDTH = 600;
const HEIGHT = 120;
const MARGIN = 8;

/** A line over time; one point is none. Its numbers stand in the table beside it. */
export function LinePlot({ points, label, most }: LinePlotProps) {
  if (points.length < 2) return null;
  const sorted = points.toSorted((left, right) => left.at - right.at);
  const first = sorted[0]?.at ?? 0;
  const span = Math.max((sorted.at(-1)?.at ?? 0) - first, 1);
  const top = Math.max(most ?? Math.max(...sorted.map(({ value }) => value), 1), 1);
  const places = sorted.map(({ at, value }) => ({
    at,
    x: MARGIN + ((at - first) / span) * (WIDTH - 2 * MARGIN),
    y: HEIGHT - MARGIN - (value / top) * (HEIGHT - 2 * MARGIN),
  }));
  return (
    <svg className="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line x1="0" x2={WIDTH} y1={HEIGHT - MARGIN} y2={HEIGHT - MARGIN} />
      <line x1="0" x2={WIDTH} y1={MARGIN} y2={MARGIN} />
      <polyline points={places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {places.map(({ at, x, y }) => (
        <circle key={at} cx={x} cy={y} r="3" />
      ))}
    </svg>
  );
}
