const BYTES_PER_NUMBER = 4;

/** A vector as it is stored: numbers of 32 bits, lowest byte first. */
export function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * BYTES_PER_NUMBER);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * BYTES_PER_NUMBER);
  return bytes;
}

/** The product of a vector with a stored one; their cosine, as both have length 1. Other lengths are far from all. */
export function productWith(vector: Float32Array, stored: Buffer): number {
  if (stored.length !== vector.length * BYTES_PER_NUMBER) return -1;
  // A row's buffer rarely begins where a Float32Array may, and copying costs less than reading number by number.
  const aligned = new Uint8Array(stored.length);
  aligned.set(stored);
  const other = new Float32Array(aligned.buffer);
  let sum = 0;
  for (let index = 0; index < vector.length; index++) sum += vector[index]! * other[index]!;
  return sum;
}

/** As pgvector reads it. */
export function toVectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

export function fromBytes(stored: Buffer): Float32Array {
  return Float32Array.from({ length: stored.length / BYTES_PER_NUMBER }, (_, index) =>
    stored.readFloatLE(index * BYTES_PER_NUMBER),
  );
}
