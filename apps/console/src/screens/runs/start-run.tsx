import type { StartResearchRequest } from '@cairn/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Problem } from '../../parts/problem.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/research.ts';
import { KINDS, type Kind } from './kinds.ts';

const TARGET_MOST = 1_000;
const TARGET_USUAL = 20;

interface Wanted {
  prompt: string;
  /** Rows, for kinds that make a list. */
  target: number;
  common: Pick<StartResearchRequest, 'memory_id' | 'llm_model' | 'config'>;
}

type Start = (wanted: Wanted) => Promise<{ thread_id: string }>;

/** Each begins with its call: the page follows it by its events, not by the WebSocket that some would wait for. */
const STARTS: Readonly<Record<Kind, Start>> = {
  research: ({ prompt, common }) => cairn.runs.startResearch({ query: prompt, allow_clarification: true, ...common }),
  deep_search: ({ prompt, common }) => cairn.runs.startDeepSearch({ prompt, start: 'now', ...common }),
  people: ({ prompt, target, common }) => cairn.runs.startPeople({ prompt, total_target: target, ...common }),
  company: ({ prompt, target, common }) => cairn.runs.startCompanies({ prompt, total_target: target, ...common }),
  web: ({ prompt, common }) => cairn.runs.startWeb({ prompt, start: 'now', ...common }),
  crawler: ({ prompt, common }) => cairn.runs.startCrawl({ prompt, start: 'now', ...common }),
};

/** Starts a run of any kind and leads to it. */
export function StartRun({ open }: { open: boolean }) {
  const { memory_id } = useMemory();
  const navigate = useNavigate();
  const [kind, setKind] = useState<Kind>('research');
  const start = useMutation({
    mutationFn: (wanted: Wanted) => STARTS[kind](wanted),
    onSuccess: ({ thread_id }) => navigate({ to: '/runs/$threadId', params: { threadId: thread_id } }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start.mutate(wantedOf(new FormData(event.currentTarget), memory_id));
  };
  return (
    <details className="panel" open={open}>
      <summary>{words.start}</summary>
      <form className="stack" onSubmit={submit}>
        <Choices kind={kind} choose={setKind} />
        <p className="quiet small">{words.kinds[kind]}</p>
        <label className="field">
          {words.prompt}
          <textarea name="prompt" required rows={3} />
        </label>
        {start.error !== null && <Problem error={start.error} />}
        <div className="row">
          <button type="submit" className="primary" disabled={start.isPending}>
            {words.startNow}
          </button>
        </div>
      </form>
    </details>
  );
}

function wantedOf(form: FormData, memoryId: string | undefined): Wanted {
  const model = String(form.get('model') ?? '');
  return {
    prompt: String(form.get('prompt')).trim(),
    target: Number(form.get('target') ?? TARGET_USUAL),
    common: {
      ...(memoryId === undefined ? {} : { memory_id: memoryId }),
      ...(model === '' ? {} : { llm_model: model }),
      ...(form.get('sources') === 'memory' ? { config: { sources: ['memory'] } } : {}),
    },
  };
}

function Choices({ kind, choose }: { kind: Kind; choose: (kind: Kind) => void }) {
  const { data: who } = useWhoami();
  const models = who?.features?.language_models ?? [];
  return (
    <div className="row">
      <label>
        {words.kind}
        <select value={kind} onChange={({ target }) => choose(target.value as Kind)}>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {wordsOf(each)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.where}
        <select name="sources">
          <option value="memory">{words.memoryAlone}</option>
          <option value="all">{words.memoryAndWeb}</option>
        </select>
      </label>
      {(kind === 'people' || kind === 'company') && (
        <label>
          {words.target}
          <input name="target" type="number" min={1} max={TARGET_MOST} defaultValue={TARGET_USUAL} />
        </label>
      )}
      {models.length > 0 && (
        <label>
          {words.model}
          <select name="model">
            <option value="">{words.usualModel}</option>
            {models.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
