import { describe, expect, it } from '@jest/globals';
import { initialMemorySettings, type MemorySettings } from '@cairn/contracts';
import { createSettingsSource } from './memory-settings.ts';

const SCOPE = { tenantId: 'ten_1', memoryId: 'mem_1' };
const LIMITS = { documents: 1n, storedBytes: 1n, plan: 'spec', suggestedPlan: '', upgradeUrl: '' };

/** What the memory service reads of a response of tenancy. */
async function settingsIn(response: object): Promise<MemorySettings> {
  const getMemorySettings = async () => ({ limits: LIMITS, spaces: [], engineId: '', ...response });
  const source = createSettingsSource({ getMemorySettings } as never);
  const { spaces: _spaces, limits: _limits, ...settings } = await source.read(SCOPE, false);
  return settings;
}

describe('the settings of a memory', () => {
  it('are those that tenancy sends by their names, whatever its fields of an earlier release say', async () => {
    const sent = { ...initialMemorySettings(), dlp_policy: 'off', keep_originals: true };
    expect(await settingsIn({ settings: sent, dlpPolicy: 'pii', keepOriginals: false })).toEqual(sent);
  });

  it('of a tenancy service that sends only two fields are these, and initial otherwise', async () => {
    const read = await settingsIn({ dlpPolicy: 'off', keepOriginals: true });
    expect(read).toEqual({ ...initialMemorySettings(), dlp_policy: 'off', keep_originals: true });
  });

  it('have the strictest policy where the policy is newer than this release', async () => {
    for (const response of [{ settings: { dlp_policy: 'all' } }, { dlpPolicy: 'all', keepOriginals: false }])
      expect(await settingsIn(response)).toMatchObject({ dlp_policy: 'pii' });
  });
});
