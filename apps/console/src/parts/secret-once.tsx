import { CopyButton } from './copy-button.tsx';

/** A secret that the API shows once: it is in this page until the page is left, and nowhere else. */
export function SecretOnce({ secret, hint }: { secret: string; hint: string }) {
  return (
    <div className="notice warn" role="status">
      <strong>{hint}</strong>
      <p className="row">
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
    </div>
  );
}
