import { OPERATIONS } from '@cairn/contracts';
import type { Page } from '../page.ts';
import { anchorOf, apiSlugOf } from './api-pages.ts';
import { table } from './markdown.ts';

type Language = 'typescript' | 'python';

const TITLES: Record<Language, string> = { typescript: 'TypeScript', python: 'Python' };

/** What the SDK's file says, and every call with the operation that it makes. */
export function sdkPage(language: Language, written: Page): Page {
  const calls = OPERATIONS.map((operation) => [
    `\`${nameIn(language, operation.sdk)}\``,
    `[${operation.summary}](/docs/${apiSlugOf(operation.tag)}#${anchorOf(operation)})`,
  ]);
  return {
    ...written,
    title: `SDK for ${TITLES[language]}`,
    label: TITLES[language],
    body: `${written.body}\n## Every call\n\n${table(['call', 'operation'], calls)}\n`,
  };
}

function nameIn(language: Language, name: string): string {
  return language === 'typescript' ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
