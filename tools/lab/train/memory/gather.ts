import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gatherPassages, storeCollection } from './gather-passages.ts';
import {
  type Collection,
  readForeignQuestions,
  readMeasuredCollections,
  readOwnCollections,
} from './read-collections.ts';
import { type TestQuestion, isAnswerable } from './training-set.ts';

/**
 * Writes the training sets that `main.ts` reads: each collection's documents are stored in a running installation, and
 * its questions asked, with questions of the others beside them. README.md says where the documents come from.
 */
const { values } = parseArgs({
  options: {
    docs: { type: 'string' },
    out: { type: 'string' },
    url: { type: 'string' },
    key: { type: 'string' },
    data: { type: 'string' },
    only: { type: 'string' },
  },
});
const { docs, out, url, key, data, only } = values;
if (docs === undefined || out === undefined || url === undefined || key === undefined)
  throw new Error(
    'Usage: node tools/lab/train/memory/gather.ts --docs <folder of unpacked packages> --out <folder> --url <installation> --key <API key> [--data <folder of measuring data>] [--only <names>]',
  );
const OTHERS_STEP = 5;
const FOREIGN = 20;

const collections = [
  ...(await readOwnCollections(docs)),
  ...(data === undefined ? [] : await readMeasuredCollections(data, docs)),
];
const foreign = data === undefined ? [] : await readForeignQuestions(data, FOREIGN);
await mkdir(out, { recursive: true });
for (const collection of only === undefined ? collections : only.split(',').map(named)) {
  const memoryId = await storeCollection({ url, key }, collection);
  const gather = async (questions: readonly TestQuestion[]) => {
    const gathered = [];
    for (const question of questions) gathered.push(await gatherPassages({ url, key }, memoryId, question));
    return JSON.stringify(gathered);
  };
  await writeFile(join(out, `${collection.name}.json`), await gather(collection.questions));
  await writeFile(join(out, `${collection.name}.strangers.json`), await gather(strangersOf(collection)));
  process.stdout.write(
    `${collection.name}: ${collection.documents.length} documents, ${collection.questions.length} questions\n`,
  );
}

/** Every fifth question of all others, as questions that nothing answers. */
function strangersOf(collection: Collection): TestQuestion[] {
  const others = collections.filter((other) => other !== collection);
  const asked = others.flatMap(({ questions }) => questions).filter(isAnswerable);
  const some = asked.filter((_, at) => at % OTHERS_STEP === 0);
  return [...some, ...foreign].map(({ question }) => ({ question }));
}

function named(name: string): Collection {
  const found = collections.find((collection) => collection.name === name);
  if (found === undefined) throw new Error(`There is no collection ${name}.`);
  return found;
}
