import type { DocumentStats } from '@cairn/sdk';
import { numberText, wordsOf } from '../../text/format.ts';
import { words } from '../../words/documents.ts';

const ORDER = ['queued', 'parsing', 'screening', 'routing', 'indexing', 'linking', 'completed', 'failed'] as const;

interface StagesProps {
  stats: DocumentStats;
  chosen: string | undefined;
  choose: (status: string | undefined) => void;
}

/** Every stage with its number of documents; one is a filter. Empty stages on the way are left out. */
export function Stages({ stats, chosen, choose }: StagesProps) {
  const counts = new Map(stats.by_status.map(({ status, documents }) => [status, documents]));
  const shown = ORDER.filter((status) => (counts.get(status) ?? 0) > 0 || status === chosen || status === 'completed');
  return (
    <ul className="stages">
      <li>
        <button type="button" aria-pressed={chosen === undefined} onClick={() => choose(undefined)}>
          {words.everyStatus} {numberText(stats.total)}
        </button>
      </li>
      {shown.map((status) => (
        <li key={status}>
          <button type="button" aria-pressed={chosen === status} onClick={() => choose(status)}>
            {wordsOf(status)} {numberText(counts.get(status) ?? 0)}
          </button>
        </li>
      ))}
    </ul>
  );
}
