import { readClassPhrase } from './class-phrase.ts';
import { type Fact, type ProfileQuote } from './profile.ts';

const MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)';
const DATE = String.raw`(?:\d{1,2}(?:st|nd|rd|th)? ${MONTH}\.?,? \d{4}|${MONTH}\.? \d{1,2},? \d{4}|${MONTH} \d{4}|\d{4})`;
const CIRCA = String.raw`(?:c\. ?|ca\. ?|circa |about )?`;
const BORN = new RegExp(String.raw`\b(?:born|b\.)(?: [^();]{0,60}?)??[ ,]${CIRCA}(${DATE})`, 'u');
const SPAN = new RegExp(String.raw`${CIRCA}(${DATE})(?:[^();–—-]{0,60}?)? ?[–—-] ?${CIRCA}(${DATE})`, 'u');
const BRACKET = /\(([^()]{4,200})\)/u;

/** What a phrase that a sentence calls somebody states: the class, nationalities, origin, and what they are known for. */
export function phraseFacts(phrase: string, quote: ProfileQuote, confidence: number): Fact[] {
  const { terms, demonyms, end } = readClassPhrase(phrase);
  if (terms.length === 0) return [];
  const fact = (kind: string, value: string, current = true): Fact => ({ kind, value, current, confidence, quote });
  const facts = [fact('class', phrase.slice(0, end), !terms.every(({ past }) => past))];
  for (const demonym of demonyms) facts.push(fact('nationality', demonym));
  const rest = phrase.slice(end);
  const from = /^,? (?:originally )?from (?:the )?(\p{Lu}[\p{L}'’.-]*(?:[ ,]{1,2}\p{Lu}[\p{L}'’.-]*){0,4})/u.exec(rest);
  if (from !== null) facts.push(fact('origin', from[1]!));
  const known =
    /\b(?:known|noted|remembered|famous) (?:internationally )?for (?:his |her |their |its )?([^.;]{2,160})/u.exec(rest);
  if (known !== null) facts.push(fact('known_for', known[1]!.trim()));
  return facts;
}

/** Dates of birth and death in the brackets after a name. */
export function bracketFacts(sentence: string, quote: ProfileQuote): Fact[] {
  const inside = BRACKET.exec(sentence)?.[1];
  if (inside === undefined) return [];
  const fact = (kind: string, value: string): Fact => ({ kind, value, current: true, confidence: 0.9, quote });
  const span = SPAN.exec(inside);
  if (span !== null) return [fact('birth_date', span[1]!), fact('death_date', span[2]!)];
  const born = BORN.exec(inside);
  return born === null ? [] : [fact('birth_date', born[1]!)];
}
