import { describe, expect, it } from '@jest/globals';
import {
  initialMemorySettings,
  MEMORY_SETTINGS,
  memorySettingsOf,
  type MemorySettings,
  readMemorySettings,
} from './memory-settings.ts';

const SETTINGS = Object.entries(MEMORY_SETTINGS);
const CHANGED: MemorySettings = { ...initialMemorySettings(), dlp_policy: 'off', keep_originals: true };

describe('a declared setting', () => {
  it.each(SETTINGS)('%s has the name of a column and accepts its initial and its fallback value', (name, setting) => {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    for (const value of [setting.initial, setting.fallback])
      expect(setting.schema.safeParse(value)).toEqual({ success: true, data: value });
  });
});

describe('memorySettingsOf', () => {
  it('takes the settings of a memory and none of its other fields', () => {
    const memory = { memory_id: 'mem_1', ...CHANGED };
    expect(memorySettingsOf(memory)).toEqual(CHANGED);
  });

  it('changes what is given, also to false, and leaves what is undefined', () => {
    const after = memorySettingsOf(CHANGED, { keep_originals: false, dlp_policy: undefined });
    expect(after).toEqual({ ...CHANGED, keep_originals: false });
  });
});

describe('readMemorySettings', () => {
  it('reads what this release sends, as it crosses the wire', () => {
    expect(readMemorySettings(JSON.parse(JSON.stringify(CHANGED)))).toEqual(CHANGED);
  });

  it('takes the initial value for a setting that an older release does not send', () => {
    expect(readMemorySettings({})).toEqual(initialMemorySettings());
  });

  it('ignores a setting that only a newer release knows', () => {
    expect(readMemorySettings({ ...CHANGED, of_tomorrow: 'on' })).toEqual(CHANGED);
  });

  it('takes the fallback for a value that only a newer release knows: the strictest policy, else the initial value', () => {
    const read = readMemorySettings({ dlp_policy: 'everything', keep_originals: 'some' });
    expect(read).toEqual({ ...initialMemorySettings(), dlp_policy: 'pii', keep_originals: false });
  });
});
