import type { UpdateMemoryRequest } from '@cairn/sdk';

type Settings = Required<Omit<UpdateMemoryRequest, 'display_name' | 'status'>>;
export type SettingName = keyof Settings;

/** Of a setting that is on or off: what it means to be on. */
interface SwitchWords {
  label: string;
  on: string;
}

/** Of a setting with several values: what each of them means. */
interface ChoiceWords<Value extends string> {
  label: string;
  values: Record<Value, string>;
}

export type SettingWords = SwitchWords | ChoiceWords<string>;

/** The settings of a memory that are shown, in this order. */
export const words: {
  [Name in SettingName]?: Settings[Name] extends string ? ChoiceWords<Settings[Name]> : SwitchWords;
} = {
  dlp_policy: {
    label: 'Masking',
    values: { off: 'off', secrets: 'secrets', pii: 'secrets and personal data' },
  },
  keep_originals: { label: 'Originals', on: 'kept from now on, for download' },
};
