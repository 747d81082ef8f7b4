import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'cairn');
/** Unpacks into the folder for temporary files and prints where the program is. */
const UNPACK = `import('@sparticuz/chromium').then(async ({ default: { executablePath } }) => await executablePath())`;

/** The first browser on the PATH that speaks Chromium's protocol, if there is one. */
function installed(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) =>
      ['chromium', 'chromium-browser', 'google-chrome', 'headless_shell'].map((name) => join(folder, name)),
    )
    .find((path) => existsSync(path));
}

/**
 * Where a browser that speaks Chromium's protocol is: an installed one, else the one that the test packages bring for
 * Linux on x64, unpacked once. `null` where there is neither.
 */
export function browserProgram(): string | null {
  const found = installed();
  if (found !== undefined) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const { version } = require(join(dirname(require.resolve('@sparticuz/chromium')), '..', 'package.json'));
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder)) unpackInto(folder);
  return join(folder, 'chromium');
}

/** A folder that is there is whole, whoever was killed or unpacked at the same time. */
function unpackInto(folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const unpacked = mkdtempSync(`${folder}-`);
  execFileSync(process.execPath, ['-e', UNPACK], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: unpacked },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    renameSync(unpacked, folder);
  } catch (error) {
    rmSync(unpacked, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
