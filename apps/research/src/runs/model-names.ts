import { validationFailed } from '@cairn/errors';

/** The operator's models by their public names. */
export interface ModelNames {
  /** Throws `validation_failed` with the list of models when the name is unknown. */
  assertKnown(name: string | undefined): void;
}

export function modelNames(names: readonly string[]): ModelNames {
  return {
    assertKnown(name) {
      if (name === undefined || names.includes(name)) return;
      const known = names.length === 0 ? 'no model is configured; leave it out' : `use one of ${names.join(', ')}`;
      throw validationFailed([{ path: 'llm_model', message: `is not known: ${known}` }]);
    },
  };
}
