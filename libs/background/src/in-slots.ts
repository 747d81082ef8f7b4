/** Works on the items, `slots` of them at a time: one that takes long keeps no other from its turn. Rejects with the first failure. */
export async function inSlots<Item>(
  items: Iterable<Item>,
  slots: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // One iterator for all slots: each takes the next item when it is free.
  const waiting = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: slots }, async () => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value);
    }),
  );
}
