import { basename, join } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import { readExports } from '../boundaries/exports.ts';
import type { SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';

const OPERATIONS = 'libs/contracts/src/operations/index.ts';

interface DeclaredOperation {
  id: string;
  service: string;
  response: { kind: string };
}

/** Services whose handlers are named so; null is all of them. */
export const NAMED_HANDLERS: readonly string[] | null = null;

/**
 * A handler and its file bear the id of their operation: `createApiKey` of the service keys is exported by exactly one
 * `create-api-key.ts` somewhere below `apps/keys/src`. Whoever reads the reference finds the code by the id.
 */
export async function handlerViolations(
  root: string,
  files: readonly SourceFile[],
  services: readonly string[] | null,
): Promise<Violation[]> {
  const declared = files.find(({ path }) => path === OPERATIONS);
  if (declared === undefined) return [];
  const { OPERATIONS: operations } = (await import(pathToFileURL(join(root, OPERATIONS)).href)) as {
    OPERATIONS: readonly DeclaredOperation[];
  };
  const lines = declared.text.split('\n');
  return operations
    .filter(({ service }) => services === null || services.includes(service))
    .filter(({ response }) => response.kind !== 'socket')
    .flatMap(({ id, service }) => {
      const name = `${kebabCase(id)}.ts`;
      const handlers = files.filter(
        (file) =>
          file.path.startsWith(`apps/${service}/src/`) &&
          basename(file.path) === name &&
          readExports(file).some((exported) => exported.name === id),
      );
      if (handlers.length === 1) return [];
      const found = handlers.length === 0 ? 'no file' : `${handlers.length} files`;
      const message = `${found} apps/${service}/src/**/${name} with the handler ${id}()`;
      return [{ file: OPERATIONS, line: lines.findIndex((line) => line.includes(id)) + 1, message }];
    });
}

/** OAuth is one word. */
function kebabCase(id: string): string {
  return id.replace('OAuth', 'Oauth').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
