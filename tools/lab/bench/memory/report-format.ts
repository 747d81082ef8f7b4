/** Milliseconds as read: two digits below ten, none above a hundred. */
export function ms(value: number): string {
  if (!Number.isFinite(value)) return '—';
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}

export function seconds(valueMs: number): string {
  return `${(valueMs / 1_000).toFixed(valueMs < 10_000 ? 1 : 0)} s`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
}

/** Grouped in threes, as the sizes of the table. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
