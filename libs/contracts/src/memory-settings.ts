import { z } from 'zod';

const DLP_POLICIES = ['off', 'secrets', 'pii'] as const;

interface SettingDeclaration<Schema extends z.ZodType> {
  schema: Schema;
  /** What a new memory has unless its creator sets it; the default of the column in tenancy, too. */
  initial: z.core.util.NoUndefined<z.output<Schema>>;
  /** Taken for a value that this release does not know, because a newer one stored it. Default: `initial`. */
  fallback?: z.core.util.NoUndefined<z.output<Schema>>;
  /** Says what a memory that is set so does. */
  description?: string;
  /** Says what to set when a memory is created. Default: `description`. */
  creationDescription?: string;
}

/**
 * The settings of a memory. The fields of the API, the rows and columns of tenancy, and what the memory service reads
 * are derived from this table. A name is the name of the column.
 */
export const MEMORY_SETTINGS = {
  dlp_policy: declareSetting({
    schema: z.enum(DLP_POLICIES),
    initial: 'secrets',
    // The strictest: a policy of a newer release may mask more than the initial one.
    fallback: 'pii',
    creationDescription: 'What is masked before anything is stored; `pii`: secrets and personal data.',
  }),
  keep_originals: declareSetting({
    schema: z.boolean(),
    initial: false,
    description: 'What is handed in is kept, encrypted, and can be downloaded.',
    creationDescription: 'Keep what is handed in, encrypted, so that it can be downloaded; it counts as stored.',
  }),
};

type MemorySettingName = keyof typeof MEMORY_SETTINGS;
type DeclaredSettings = typeof MEMORY_SETTINGS;

export type MemorySettings = { [Name in MemorySettingName]: DeclaredSettings[Name]['initial'] };
type MemorySettingsChange = { [Name in MemorySettingName]?: MemorySettings[Name] | undefined };
/** Of a memory in a response, of the body that creates one, and of the body that changes one. */
type FieldPlace = 'shown' | 'created' | 'changed';

export const MEMORY_SETTING_NAMES = Object.keys(MEMORY_SETTINGS) as MemorySettingName[];

function declareSetting<Schema extends z.ZodType>(declaration: SettingDeclaration<Schema>) {
  const { schema, initial, fallback = initial, description, creationDescription = description } = declaration;
  return {
    schema,
    initial,
    fallback,
    shown: described(schema, description),
    created: described(schema.default(initial), creationDescription),
    changed: schema.optional(),
  };
}

function described<Schema extends z.ZodType>(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : schema.meta({ description });
}

/** The fields of all settings in one place of the API. */
export function memorySettingFields<Place extends FieldPlace>(place: Place) {
  return Object.fromEntries(MEMORY_SETTING_NAMES.map((name) => [name, MEMORY_SETTINGS[name][place]])) as {
    [Name in MemorySettingName]: DeclaredSettings[Name][Place];
  };
}

export function initialMemorySettings(): MemorySettings {
  return settingsBy((name) => MEMORY_SETTINGS[name].initial);
}

/** The settings among the fields of a memory, with a change applied to those that it names. */
export function memorySettingsOf(memory: MemorySettings, change: MemorySettingsChange = {}): MemorySettings {
  return settingsBy((name) => (change[name] === undefined ? memory[name] : change[name]));
}

/**
 * Settings as another release sent them. One that it did not send is as it is initially, one that only it knows is
 * ignored, and a value that only it knows is replaced by the fallback of the setting.
 */
export function readMemorySettings(sent: Readonly<Record<string, unknown>>): MemorySettings {
  return settingsBy((name) => {
    const { schema, initial, fallback } = MEMORY_SETTINGS[name];
    if (sent[name] === undefined) return initial;
    const read = schema.safeParse(sent[name]);
    return read.success ? read.data : fallback;
  });
}

function settingsBy(valueOf: (name: MemorySettingName) => MemorySettings[MemorySettingName]): MemorySettings {
  return Object.fromEntries(MEMORY_SETTING_NAMES.map((name) => [name, valueOf(name)])) as MemorySettings;
}
