import { open } from 'fontkit';

/** Texts as a font can show them. */
interface Printable {
  text(text: string): string;
  /** How many characters were replaced so far. */
  missing(): number;
}

const REPLACEMENT = '□';
/** Written from right to left, which pages laid out from left to right would show in a wrong order. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u;

/** Replaces what the font has no glyph for, so that a reader sees that something is missing. */
export async function createPrintable(fontPath: string): Promise<Printable> {
  const font = await open(fontPath);
  if (!('hasGlyphForCodePoint' in font)) throw new Error('The font file holds several fonts.');
  const has = new Map<string, boolean>();
  let missing = 0;
  return {
    text(text) {
      let printed = '';
      for (const character of text.normalize('NFC')) {
        if (/\s/.test(character)) printed += ' ';
        else if (INVISIBLE.test(character)) continue;
        else {
          let known = has.get(character);
          if (known === undefined) {
            known = !RIGHT_TO_LEFT.test(character) && font.hasGlyphForCodePoint(character.codePointAt(0)!);
            has.set(character, known);
          }
          if (!known) missing += 1;
          printed += known ? character : REPLACEMENT;
        }
      }
      return printed;
    },
    missing: () => missing,
  };
}
