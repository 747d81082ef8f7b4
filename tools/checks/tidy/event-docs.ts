import { EVENT_DOCS, withEventTables } from '../../release/write-event-docs.ts';
import type { SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';
import { differs } from './config-docs.ts';

/** The tables of events in the page of webhooks are what the contracts declare. */
export function eventDocsViolations(files: SourceFile[]): Violation[] {
  const page = files.find(({ path }) => path === EVENT_DOCS);
  if (page === undefined) return [];
  const current = withEventTables(page.text);
  return current === page.text ? [] : [differs(page, current)];
}
