import { table } from '../../measurement/page.ts';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const ROWS = 12;

/** The functions of a V8 profile with the most time of their own, idle time aside. */
export function topOfProfile(profile: CpuProfile): string {
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url } }) => {
      const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(apps|libs)\//, '$1/');
      return [id, `${functionName === '' ? '(anonymous)' : functionName}${file === '' ? '' : ` — ${file}`}`];
    }),
  );
  const own = new Map<string, number>();
  profile.samples.forEach((id, index) => {
    const name = names.get(id)!;
    own.set(name, (own.get(name) ?? 0) + profile.timeDeltas[index]!);
  });
  for (const idle of ['(idle)', '(root)']) own.delete(idle);
  const total = [...own.values()].reduce((sum, time) => sum + time, 0);
  const top = [...own].sort((a, b) => b[1] - a[1]).slice(0, ROWS);
  return table(
    ['function', 'own time'],
    top.map(([name, time]) => [`\`${name}\``, `${((100 * time) / total).toFixed(1)} %`]),
  );
}
