import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NameType } from '../../../../libs/reading/src/names/name-classifier.ts';
import type { NamedText } from './named-text.ts';

type Types = readonly [NameType | null, NameType | null];

/** The types that KnowledgeNet's properties ask of their subject and object. */
const PROPERTIES: Readonly<Record<string, Types>> = {
  CEO: ['organisation', 'person'],
  FOUNDED_BY: ['organisation', 'person'],
  DATE_FOUNDED: ['organisation', null],
  DATE_OF_BIRTH: ['person', null],
  DATE_OF_DEATH: ['person', null],
  PLACE_OF_BIRTH: ['person', 'place'],
  PLACE_OF_RESIDENCE: ['person', 'place'],
  HEADQUARTERS: ['organisation', 'place'],
  EMPLOYEE_OR_MEMBER_OF: ['person', 'organisation'],
  POLITICAL_AFFILIATION: ['person', 'organisation'],
  SUBSIDIARY_OF: ['organisation', 'organisation'],
  SPOUSE: ['person', 'person'],
  CHILD_OF: ['person', 'person'],
  EDUCATED_AT: ['person', 'organisation'],
  NATIONALITY: ['person', null],
};
const PRONOUNS =
  /^(?:he|she|it|they|his|her|him|them|their|its|i|me|my|we|us|our|you|your|who|whom|whose|which|that|this)$/i;

/**
 * The arguments of the facts of KnowledgeNet's documents as typed names: the half of the documents that is not held
 * out. Only the types are learned from it, for only arguments of facts are marked.
 */
export function readTypedArguments(sources: string): NamedText[] {
  const html = readFileSync(join(sources, 'knowledge-net', 'human_readable-v10-notest.html'), 'utf8');
  const passages = new Map<string, NamedText>();
  for (const line of html.split('\n')) {
    if (!line.startsWith('<tr><td')) continue;
    const cells = line.split('</td>').map((cell) => cell.slice(cell.indexOf('>', cell.lastIndexOf('<td')) + 1));
    const [, doc, from, , subjectFrom, subjectTo, objectFrom, objectTo, property, passage] = cells as string[];
    if (!isForTraining(`kn-${doc}`)) continue;
    const start = Number(from);
    const key = `${doc} ${from}`;
    const item = passages.get(key) ?? { text: plainText(passage ?? ''), spans: [] };
    passages.set(key, item);
    if (subjectFrom === '-') continue;
    const [subject, object] = PROPERTIES[property ?? ''] ?? [null, null];
    addSpan(item, Number(subjectFrom) - start, Number(subjectTo) - start, subject);
    addSpan(item, Number(objectFrom) - start, Number(objectTo) - start, object);
  }
  return [...passages.values()].filter(({ spans }) => spans.length > 0);
}

function isForTraining(key: string): boolean {
  return Number.parseInt(createHash('md5').update(key).digest('hex').slice(-1), 16) % 2 === 0;
}

function plainText(cell: string): string {
  return cell
    .replace(/^<p> ?/, '')
    .replaceAll('</p>', '')
    .replace(/<\/?(?:a|span)(?: [^<>]*)?>/g, '');
}

function addSpan(item: NamedText, start: number, end: number, type: NameType | null): void {
  const text = item.text.slice(start, end);
  if (type === null || PRONOUNS.test(text) || !/\p{Lu}/u.test(text)) return;
  if (!item.spans.some((span) => span.start === start && span.end === end)) item.spans.push({ start, end, type });
}
