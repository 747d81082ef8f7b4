import type { Memory, UpdateMemoryRequest } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import { cairn } from '../../app/client.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Problem } from '../../parts/problem.tsx';
import { type SettingName, type SettingWords, words } from '../../words/memory-settings.ts';

const SHOWN = Object.entries(words) as [SettingName, SettingWords][];

/** The settings of a memory, as terms and descriptions of a list. */
export function MemorySettings({ memory }: { memory: Memory }) {
  return SHOWN.map(([name, setting]) => (
    <Fragment key={name}>
      <dt>{setting.label}</dt>
      <dd>
        <SettingControl memory={memory} name={name} setting={setting} />
      </dd>
    </Fragment>
  ));
}

interface SettingControlProps {
  memory: Memory;
  name: SettingName;
  setting: SettingWords;
}

function SettingControl({ memory, name, setting }: SettingControlProps) {
  const { data: who } = useWhoami();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: async (value: Memory[SettingName]) =>
      await cairn.memories.update(memory.memory_id, { [name]: value } as UpdateMemoryRequest),
    onSettled: () => client.invalidateQueries({ queryKey: ['memories'] }),
  });
  const value = change.isPending ? change.variables : memory[name];
  const disabled = change.isPending || who?.credential.scopes.includes('memories:write') !== true;
  return (
    <>
      {'on' in setting ? (
        <label className="row">
          <input
            type="checkbox"
            checked={value === true}
            disabled={disabled}
            onChange={({ target }) => change.mutate(target.checked)}
          />
          {setting.on}
        </label>
      ) : (
        <select
          aria-label={`${setting.label}: ${memory.display_name}`}
          value={String(value)}
          disabled={disabled}
          onChange={({ target }) => change.mutate(target.value as Memory[SettingName])}
        >
          {choicesOf(setting.values, String(value)).map(([each, meaning]) => (
            <option key={each} value={each}>
              {meaning}
            </option>
          ))}
        </select>
      )}
      {change.error !== null && <Problem error={change.error} />}
    </>
  );
}

/** The values with their words; a value of a newer release stands for itself. */
function choicesOf(values: Readonly<Record<string, string>>, current: string): [value: string, words: string][] {
  const known = Object.entries(values);
  return current in values ? known : [...known, [current, current]];
}
