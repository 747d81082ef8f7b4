/** The first `count` of the values in an order, sorted: a heap of those, so that most of many are compared once. */
export function firstInOrder<Value>(
  values: Iterable<Value>,
  count: number,
  order: (a: Value, b: Value) => number,
): Value[] {
  const heap: Value[] = [];
  for (const value of values) {
    if (heap.length < count) {
      heap.push(value);
      if (heap.length === count) for (let at = (count >>> 1) - 1; at >= 0; at -= 1) sink(heap, at, order);
    } else if (count > 0 && order(value, heap[0]!) < 0) {
      heap[0] = value;
      sink(heap, 0, order);
    }
  }
  return heap.sort(order);
}

/** Moves a value down until those under it come before it: the last one in order is on top. */
function sink<Value>(heap: Value[], from: number, order: (a: Value, b: Value) => number): void {
  const value = heap[from]!;
  let parent = from;
  for (;;) {
    let child = 2 * parent + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && order(heap[child + 1]!, heap[child]!) > 0) child += 1;
    if (order(heap[child]!, value) <= 0) break;
    heap[parent] = heap[child]!;
    parent = child;
  }
  heap[parent] = value;
}
