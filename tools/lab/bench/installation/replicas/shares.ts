/** Kinds of work that are counted of each process, by the lines of its metrics. */
export type CountedWork = Record<string, RegExp>;

/** What a process has done so far, by kind of work. */
type Done = Record<string, number>;

const NOTHING_YET = 20;

export async function readDone(metricsUrl: string, counted: CountedWork): Promise<Done> {
  const text = await (await fetch(metricsUrl)).text();
  const lines = text.split('\n');
  return Object.fromEntries(
    Object.entries(counted).map(([kind, pattern]) => [
      kind,
      lines
        .filter((line) => pattern.test(line))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0),
    ]),
  );
}

/** What all processes had done at one time, the new one last, and what those that know them by name had called. */
export interface WorkSnapshot {
  atMs: number;
  done: readonly Done[];
  called: number;
}

export interface Share {
  kind: string;
  /** What the new process did of all that was done from `fromMs` on, over its fair share; null: too little was done. */
  ofFair: number | null;
  counted: number;
}

/**
 * Compares the last look with the first one of at least `fromMs`. Of `calls`, a kind of work, only what was called by
 * name counts as all.
 */
export function sharesFrom(
  looks: readonly WorkSnapshot[],
  fromMs: number,
  kinds: readonly string[],
  calls: string,
): Share[] {
  const first = looks.find(({ atMs }) => atMs >= fromMs);
  const last = looks.at(-1);
  if (first === undefined || last === undefined) return [];
  return kinds.map((kind) => {
    const did = last.done.map((done, n) => done[kind]! - first.done[n]![kind]!);
    const total = kind === calls ? last.called - first.called : did.reduce((sum, count) => sum + count, 0);
    const fair = total / did.length;
    return { kind, counted: total, ofFair: total < NOTHING_YET ? null : did.at(-1)! / fair };
  });
}
