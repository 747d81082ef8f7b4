const { imul } = Math;

/**
 * A row of a hashed feature table from up to four numbers (the feature's template and what it combines). After the
 * mixing steps of Murmur3 and xxHash.
 */
export function feature(template: number, a: number, b: number, c: number, mask: number): number {
  let hash = imul(template + 1, 0x9e3779b1) ^ imul(a + 7, 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ imul(b + 13, 0xc2b2ae35);
  hash = imul(hash ^ (hash >>> 13), 0x297a2d39) ^ imul(c + 29, 0x27d4eb2f);
  hash = imul(hash ^ (hash >>> 16), 0x165667b1);
  return (hash ^ (hash >>> 14)) & mask;
}

/** FNV-1a over the UTF-16 units, 31 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash & 0x7fffffff;
}
