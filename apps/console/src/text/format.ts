const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

export function numberText(value: number): string {
  return new Intl.NumberFormat('en').format(value);
}

/** What documents say has a day and no time, which the API writes as midnight. */
const DAY = /T00:00:00(?:\.000)?Z$/;

/** Local time, as the screens show it; a day alone is that day everywhere. */
export function timeText(iso: string): string {
  if (DAY.test(iso))
    return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** “3 hours ago”, “in 2 days”. */
export function agoText(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

/** `list_price`, `api_keys` and `memory.ingest.completed` as words. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/[_.]/g, ' ')
    .replaceAll(/\bapi\b/g, 'API')
    .replaceAll(/\boauth\b/g, 'OAuth');
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
