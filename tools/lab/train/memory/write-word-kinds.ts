import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wordsByKind } from './word-kinds.ts';

/** `node tools/lab/train/memory/write-word-kinds.ts` after compromise was updated. */
const target = join(import.meta.dirname, '../../../../apps/memory/src/text/word-kinds.json');
await writeFile(target, `${JSON.stringify(wordsByKind(), null, 2)}\n`);
