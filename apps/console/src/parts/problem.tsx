import { CairnError } from '@cairn/sdk';
import { useEffect, useState } from 'react';
import { words } from '../words/parts.ts';
import { CopyButton } from './copy-button.tsx';

/** Behind the sentence, the SDK's message names code and request again; both stand apart here. */
const ABOUT = / \([a-z_]+(?:, request [^)]*)?\)$/;

/** Why something is not shown: in the API's own words, with what names the request for support. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const known = error instanceof CairnError ? error : null;
  const message = error instanceof Error ? error.message.replace(ABOUT, '') : String(error);
  return (
    <div className={`notice ${known?.status === 403 || known?.status === 402 ? 'warn' : 'bad'}`} role="alert">
      <strong>{titleOf(known)}</strong>
      <p>{message}</p>
      {known !== null && known.errors.length > 0 && (
        <ul>
          {known.errors.map(({ path, message: what }) => (
            <li key={path}>
              <code>{path}</code> {what}
            </li>
          ))}
        </ul>
      )}
      <p className="row small">
        {known?.requestId != null && (
          <span className="quiet">
            {words.request} <code>{known.requestId}</code> <CopyButton text={known.requestId} />
          </span>
        )}
        {retry !== undefined && <Retry error={known} retry={retry} />}
      </p>
    </div>
  );
}

function titleOf(error: CairnError | null): string {
  if (error?.status === 403) return words.forbidden;
  if (error?.status === 402) return words.upgrade;
  if (error?.status === 0) return words.unreachable;
  return words.failed;
}

/** Counts down what the API asked to wait, and tries again by itself; otherwise a button. */
function Retry({ error, retry }: { error: CairnError | null; retry: () => void }) {
  const [left, setLeft] = useState(error?.retryAfter ?? 0);
  const waits = left > 0;
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setTimeout(() => {
      if (left <= 1) retry();
      setLeft(left - 1);
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left, waits, retry]);
  if (waits) return <span className="quiet">{words.tryingAgain(left)}</span>;
  return (
    <button type="button" className="link" onClick={retry}>
      {words.tryAgain}
    </button>
  );
}
