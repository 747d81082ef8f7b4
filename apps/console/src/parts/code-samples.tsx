import { type ApiCall, samplesOf } from '@cairn/pages';
import { words } from '../words/parts.ts';
import { CopyButton } from './copy-button.tsx';

const LANGUAGES = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const;

/** What the panel asked, to be copied in three languages. */
export function CodeSamples({ call }: { call: ApiCall }) {
  const samples = samplesOf(call, location.origin);
  return (
    <details className="code">
      <summary>{words.code}</summary>
      <div>
        {LANGUAGES.map(([key, name]) => (
          <div key={key}>
            <div className="row small">
              <strong>{name}</strong>
              <CopyButton text={samples[key]} />
            </div>
            <pre tabIndex={0}>{samples[key]}</pre>
          </div>
        ))}
      </div>
    </details>
  );
}
