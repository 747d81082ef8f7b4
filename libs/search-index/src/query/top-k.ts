/**
 * The k best scores of a whole search so far, over all segments. Its threshold only rises; a chunk below it
 * cannot be among the k best, one equal to it can, as ties break by chunk id.
 */
export class ScoreHeap {
  private readonly capacity: number;
  private readonly heap: Float64Array;
  private size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.heap = new Float64Array(capacity);
  }

  get threshold(): number {
    return this.size < this.capacity ? 0 : this.heap[0]!;
  }

  offer(score: number): void {
    const { heap } = this;
    if (this.size < this.capacity) {
      let child = this.size++;
      while (child > 0) {
        const parent = (child - 1) >>> 1;
        if (heap[parent]! <= score) break;
        heap[child] = heap[parent]!;
        child = parent;
      }
      heap[child] = score;
      return;
    }
    if (score <= heap[0]!) return;
    let parent = 0;
    for (;;) {
      let child = parent * 2 + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= score) break;
      heap[parent] = heap[child]!;
      parent = child;
    }
    heap[parent] = score;
  }
}

interface ScoredOrdinal {
  ordinal: number;
  score: number;
}

/**
 * The k best of one segment. Ordinals arrive ascending and follow chunk ids, so that of two equal scores the
 * first to arrive is the better one.
 */
export class SegmentHits {
  private readonly capacity: number;
  private readonly heap: ScoredOrdinal[] = [];

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  offer(ordinal: number, score: number): void {
    const { heap } = this;
    if (heap.length < this.capacity) {
      heap.push({ ordinal, score });
      this.rise(heap.length - 1);
    } else if (score > heap[0]!.score) {
      heap[0] = { ordinal, score };
      this.sink();
    }
  }

  private rise(start: number): void {
    let child = start;
    while (child > 0) {
      const parent = (child - 1) >>> 1;
      if (!worse(this.heap[child]!, this.heap[parent]!)) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  private sink(): void {
    let parent = 0;
    for (;;) {
      let child = parent * 2 + 1;
      if (child >= this.heap.length) return;
      if (child + 1 < this.heap.length && worse(this.heap[child + 1]!, this.heap[child]!)) child++;
      if (!worse(this.heap[child]!, this.heap[parent]!)) return;
      this.swap(child, parent);
      parent = child;
    }
  }

  private swap(a: number, b: number): void {
    const held = this.heap[a]!;
    this.heap[a] = this.heap[b]!;
    this.heap[b] = held;
  }

  /** Those at or above `threshold`, in no order. */
  atLeast(threshold: number): ScoredOrdinal[] {
    return this.heap.filter((hit) => hit.score >= threshold);
  }
}

function worse(a: ScoredOrdinal, b: ScoredOrdinal): boolean {
  return a.score < b.score || (a.score === b.score && a.ordinal > b.ordinal);
}
