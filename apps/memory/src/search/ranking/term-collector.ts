/**
 * A chunk's words as the signals compare them: terms without stop words, by numbers (feature hashing, Weinberger and
 * others 2009). Two of the few thousand terms that one search compares share a number once in a hundred searches; it
 * makes two texts a trifle more alike.
 */
export interface ChunkTerms {
  /** Distinct, as they appear. */
  terms: Int32Array;
  /** How often the chunk has each, the title's words weighted as in the index. */
  frequencies: Float32Array;
  /** Sum of the frequencies. */
  length: number;
  /** Each use of a term in turn, as its place in `terms` … */
  uses: Uint16Array;
  /** … and where it stands, ascending; the title comes before the body. */
  positions: Uint16Array;
}

/** Uses of terms in one chunk that are kept; words have few terms each. */
const USES_MAX = 4_096;
const POSITION_MAX = 0xffff;
/** Twice as many, and a power of two. */
const SLOTS = 2 * USES_MAX;

/** Gathers the terms of one chunk after the other, always in the same room: an open hash table and four columns. */
export class TermCollector {
  /** Which chunk a slot was last used for, and the place of its term. */
  private readonly slotChunks = new Uint32Array(SLOTS);
  private readonly slotPlaces = new Uint16Array(SLOTS);
  private readonly terms = new Int32Array(USES_MAX);
  private readonly frequencies = new Float32Array(USES_MAX);
  private readonly uses = new Uint16Array(USES_MAX);
  private readonly positions = new Uint16Array(USES_MAX);
  private chunk = 0;
  private termCount = 0;
  private useCount = 0;

  begin(): void {
    // Once in four billion chunks the count restarts.
    this.chunk = (this.chunk + 1) >>> 0;
    if (this.chunk === 0) {
      this.slotChunks.fill(0);
      this.chunk = 1;
    }
    this.termCount = 0;
    this.useCount = 0;
  }

  /** False when there is no room for more. */
  add(term: number, position: number, weight: number): boolean {
    if (this.useCount === USES_MAX || position > POSITION_MAX) return false;
    const place = this.placeOf(term);
    this.frequencies[place]! += weight;
    this.uses[this.useCount] = place;
    this.positions[this.useCount] = position;
    this.useCount += 1;
    return true;
  }

  collected(): Omit<ChunkTerms, 'length'> {
    return {
      terms: this.terms.slice(0, this.termCount),
      frequencies: this.frequencies.slice(0, this.termCount),
      uses: this.uses.slice(0, this.useCount),
      positions: this.positions.slice(0, this.useCount),
    };
  }

  private placeOf(term: number): number {
    let slot = term & (SLOTS - 1);
    for (; this.slotChunks[slot] === this.chunk; slot = (slot + 1) & (SLOTS - 1))
      if (this.terms[this.slotPlaces[slot]!] === term) return this.slotPlaces[slot]!;
    const place = this.termCount;
    this.slotChunks[slot] = this.chunk;
    this.slotPlaces[slot] = place;
    this.terms[place] = term;
    this.frequencies[place] = 0;
    this.termCount += 1;
    return place;
  }
}
