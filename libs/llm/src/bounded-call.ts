import { ModelFailure } from './model-failure.ts';

/** A call with an end: stops on the caller's signal, after its time, or when nothing came for too long. */
export interface BoundedCall {
  signal: AbortSignal;
  /** Something came: the wait for the next begins. */
  alive(): void;
  /** Ends whatever still runs of it; no timer or listener is left. */
  end(): void;
}

export function boundCall(caller: AbortSignal, callTimeoutMs: number, stallTimeoutMs = callTimeoutMs): BoundedCall {
  const own = new AbortController();
  const stop = (reason: unknown) => own.abort(reason);
  const onCallerAbort = () => stop(caller.reason);
  if (caller.aborted) onCallerAbort();
  else caller.addEventListener('abort', onCallerAbort, { once: true });
  const late = () => stop(new ModelFailure('timed_out', 'the provider did not answer in time'));
  const whole = setTimeout(late, callTimeoutMs);
  let stall = setTimeout(late, stallTimeoutMs);
  return {
    signal: own.signal,
    alive() {
      clearTimeout(stall);
      stall = setTimeout(late, stallTimeoutMs);
    },
    end() {
      clearTimeout(whole);
      clearTimeout(stall);
      caller.removeEventListener('abort', onCallerAbort);
      stop(new DOMException('the call is over', 'AbortError'));
    },
  };
}
