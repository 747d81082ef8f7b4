/** Probability that one of the first scores above one of the second; ties count half (Mann and Whitney 1947). */
export function auroc(above: readonly number[], below: readonly number[]): number {
  let won = 0;
  for (const one of above) for (const other of below) won += one > other ? 1 : one === other ? 0.5 : 0;
  return won / (above.length * below.length);
}
