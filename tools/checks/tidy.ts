import { join } from 'node:path';
import { isGenerated, listFiles, readSourceFiles } from './source-files.ts';
import { incompatibleMigrations } from './tidy/compatible-migrations.ts';
import { configDocsViolations } from './tidy/config-docs.ts';
import { eventDocsViolations } from './tidy/event-docs.ts';
import { handlerViolations, NAMED_HANDLERS } from './tidy/handler-names.ts';
import { migrationViolations, nameViolations } from './tidy/file-names.ts';
import { lookupTableViolations } from './tidy/lookup-tables.ts';
import { missingPaths } from './tidy/code-paths.ts';
import { deadLinks } from './tidy/markdown-links.ts';
import { retiredPhrases, WITHOUT_RETIRED_PHRASES } from './tidy/retired-phrases.ts';
import { lineViolations, longFiles } from './tidy/text-rules.ts';
import { report, type Violation } from './violation.ts';

/** Where a rule holds; null is the whole repository. */
interface TidyRules {
  handlers: readonly string[] | null;
  phrases: readonly string[] | null;
}

const RULES: TidyRules = { handlers: NAMED_HANDLERS, phrases: WITHOUT_RETIRED_PHRASES };

/**
 * Style that a program can see and oxlint does not (see .oxlintrc.json for what it does: the environment, the length
 * of files and functions, focused and disabled tests). After tigerbeetle's tidy.zig.
 */
export async function tidyViolations(root: string, { handlers, phrases }: TidyRules = RULES): Promise<Violation[]> {
  const paths = listFiles(root);
  const files = readSourceFiles(root);
  const own = files.filter(({ path }) => !isGenerated(path));
  return [
    ...lineViolations(own),
    ...longFiles(own),
    ...lookupTableViolations(own),
    ...nameViolations(paths),
    ...migrationViolations(paths),
    ...incompatibleMigrations(own),
    ...deadLinks(own, paths),
    ...missingPaths(own, paths),
    ...retiredPhrases(own, phrases),
    ...(await handlerViolations(root, own, handlers)),
    ...(await configDocsViolations(root, own)),
    ...eventDocsViolations(own),
  ];
}

async function main(): Promise<void> {
  process.exitCode = report('tidy', await tidyViolations(join(import.meta.dirname, '..', '..')));
}

if (import.meta.main) void main();
