import { LRUCache } from 'lru-cache';

export interface LookupLanesBounds {
  /** Names remembered as good; beyond it the one unused longest is forgotten. */
  rememberedMax: number;
  /** Lookups under way at once of names that were good before. */
  seenGoodPendingMax: number;
  /** The same of all other names. */
  otherPendingMax: number;
}

export interface LaneLookup {
  /** Whether the name was good when it was looked up last. */
  seenGood: boolean;
  /** Call once, when the lookup has ended. */
  end(): void;
}

/**
 * Bounds lookups in two lanes, so that names which were good before never wait behind unknown ones, of which anybody
 * can invent as many as they like. Remembering only decides on the lane: it says nothing of whether a name is good now.
 */
export class LookupLanes {
  private readonly bounds: LookupLanesBounds;
  private readonly remembered: LRUCache<string, true>;
  private readonly pending = { seenGood: 0, other: 0 };

  constructor(bounds: LookupLanesBounds) {
    this.bounds = bounds;
    this.remembered = new LRUCache({ max: bounds.rememberedMax });
  }

  wasGood(name: string): boolean {
    return this.remembered.get(name) === true;
  }

  /** Null when the lane of the name is full. */
  begin(name: string): LaneLookup | null {
    const seenGood = this.wasGood(name);
    const lane = seenGood ? 'seenGood' : 'other';
    const max = seenGood ? this.bounds.seenGoodPendingMax : this.bounds.otherPendingMax;
    if (this.pending[lane] >= max) return null;
    this.pending[lane] += 1;
    return {
      seenGood,
      end: () => {
        this.pending[lane] -= 1;
      },
    };
  }

  remember(name: string, good: boolean): void {
    if (good) this.remembered.set(name, true);
    else this.remembered.delete(name);
  }
}
