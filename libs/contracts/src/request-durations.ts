/** Upper bounds in milliseconds of the groups that requests are counted in by how long they took; the last has none. */
export const REQUEST_DURATION_BOUNDS_MS: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000,
];
