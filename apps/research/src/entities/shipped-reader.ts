import { createReader, createSyntax, Places, type Reader, type ReadingModel, type Syntax } from '@cairn/reading';
import { readingModel } from '../text/reading-model.ts';

interface ShippedReader {
  reader: Reader;
  places: Places;
  lexicon: ReadingModel['lexicon'];
}

let shared: ShippedReader | undefined;

/** A reader with the model that is committed, made at the first use and once for a process. */
export function shippedReader(): ShippedReader {
  if (shared === undefined) {
    const model = readingModel();
    shared = { reader: createReader(model), places: new Places(model.lexicon), lexicon: model.lexicon };
  }
  return shared;
}

let syntax: Syntax | undefined;

/** The trees of sentences by the same model. */
export function shippedSyntax(): Syntax {
  syntax ??= createSyntax(readingModel());
  return syntax;
}
