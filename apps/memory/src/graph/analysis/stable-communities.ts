/**
 * Gives communities the numbers they had: each takes the number that most of its members had, the largest overlap
 * first, and no number goes to two. What is new gets numbers above all that were ever there. 0 stays for nodes
 * without a community.
 */
export function reuseNumbers(communities: Int32Array, before: Int32Array): Int32Array {
  const overlaps = new Map<string, number>();
  const size = new Map<number, number>();
  let highest = 0;
  for (let node = 0; node < communities.length; node += 1) {
    const [now, then] = [communities[node]!, before[node]!];
    highest = Math.max(highest, then);
    if (now < 0) continue;
    size.set(now, (size.get(now) ?? 0) + 1);
    if (then > 0) overlaps.set(`${now} ${then}`, (overlaps.get(`${now} ${then}`) ?? 0) + 1);
  }
  const numbers = new Map<number, number>();
  const taken = new Set<number>();
  const ordered = [...overlaps].map(([pair, count]) => ({
    count,
    now: Number(pair.split(' ')[0]),
    earlier: Number(pair.split(' ')[1]),
  }));
  ordered.sort((a, b) => b.count - a.count || a.earlier - b.earlier || a.now - b.now);
  for (const { now, earlier } of ordered) {
    if (numbers.has(now) || taken.has(earlier)) continue;
    numbers.set(now, earlier);
    taken.add(earlier);
  }
  const fresh = [...size].filter(([now]) => !numbers.has(now)).sort(([a, m], [b, n]) => n - m || a - b);
  for (const [now] of fresh) numbers.set(now, (highest += 1));
  return communities.map((now) => (now < 0 ? 0 : numbers.get(now)!));
}
