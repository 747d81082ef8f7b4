import { createReader, loadShippedModel, Places, type Reader } from '@cairn/reading';

type Lexicon = ReturnType<typeof loadShippedModel>['lexicon'];

let shared: { reader: Reader; places: Places; lexicon: Lexicon } | undefined;

/** A reader with the model that is committed, loaded at the first use and once for a process. */
export function shippedReader(): { reader: Reader; places: Places; lexicon: Lexicon } {
  if (shared === undefined) {
    const model = loadShippedModel();
    shared = { reader: createReader(model), places: new Places(model.lexicon), lexicon: model.lexicon };
  }
  return shared;
}
