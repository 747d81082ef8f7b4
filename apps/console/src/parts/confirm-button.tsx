import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { words } from '../words/parts.ts';
import { Problem } from './problem.tsx';

interface ConfirmProps {
  label: string;
  /** What goes, in full: “14 documents, 2 keys”. */
  children: ReactNode;
  /** Has to be typed before anything happens. */
  name: string;
  act: () => Promise<unknown>;
}

/** A destructive act: it says what goes, and wants the name of what goes. */
export function ConfirmButton({ label, children, name, act }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const title = useId();
  const { mutate, error, isPending } = useMutation({
    mutationFn: act,
    onSuccess: () => dialog.current?.close(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <>
      <button type="button" className="danger" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={title}>
        <form className="stack" onSubmit={submit}>
          <h2 id={title}>{label}</h2>
          <div>{children}</div>
          <label className="field">
            {words.typeName(name)}
            <input value={typed} onChange={({ target }) => setTyped(target.value)} autoComplete="off" />
          </label>
          {error !== null && <Problem error={error} />}
          <div className="row">
            <button type="submit" className="danger" disabled={typed !== name || isPending}>
              {label}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              {words.cancel}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
