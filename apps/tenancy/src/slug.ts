import { randomBytes } from 'node:crypto';

const SLUG_MAX_CHARS = 40;
const LABEL_RANDOM_CHARS = 8;

/** A name as lower-case letters, digits and hyphens; `fallback` when nothing of it can be written so. */
export function slugOf(name: string, fallback: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX_CHARS)
    .replace(/^-|-$/g, '');
  return slug === '' ? fallback : slug;
}

/** The first of `slug`, `slug-2`, `slug-3` … that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  let candidate = slug;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${slug}-${number}`;
  return candidate;
}

/** A DNS label that begins with the name and cannot be guessed from it. */
export function memoryLabel(name: string): string {
  const random = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(LABEL_RANDOM_CHARS, '0')
    .slice(-LABEL_RANDOM_CHARS);
  return `${slugOf(name, 'memory')}-${random}`;
}
