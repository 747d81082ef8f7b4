import { ConfigError } from '@cairn/service-kit';
import { type BuiltFolder, readFolder } from '../folders/read-folder.ts';

/** Reads the built console. Throws when the folder holds none. */
export async function readConsole(folder: string): Promise<BuiltFolder> {
  const built = await readFolder(folder).catch((cause: unknown) => {
    throw new ConfigError([`CAIRN_CONSOLE_DIR (${folder}) cannot be read: ${(cause as Error).message}`]);
  });
  if (!built.files.has('index.html'))
    throw new ConfigError([`CAIRN_CONSOLE_DIR (${folder}) holds no index.html: build the console first`]);
  return built;
}
