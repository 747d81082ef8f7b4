import { countryNamed, placesOfAdjective } from './nationality.ts';
import { shippedReader } from './shipped-reader.ts';

/** Whether a place lies in a country that a name or an adjective such as "Welsh" stands for, as far as is known. */
export function isWithin(place: string, wanted: string): boolean {
  const country = countryNamed(wanted);
  const codes = country === null ? placesOfAdjective(wanted) : [country];
  if (codes.length === 0) return false;
  const parts = place.split(/, ?/);
  const lies = (code: string) => codes.some((one) => code === one || code.startsWith(`${one}-`));
  if (parts.some((part) => lies(countryNamed(part) ?? '') || codes.includes(part.toLowerCase()))) return true;
  const ends = parts.map((part) => part.split(' ').slice(1).join(' ')).filter((end) => end !== '');
  if (ends.some((end) => lies(countryNamed(end) ?? ''))) return true;
  const known = shippedReader().places.named([parts.at(-1)!]).codes;
  return known.length > 0 && known.every(lies);
}
