/** The part of an embedded server that supervision needs. */
interface SupervisableServer {
  stop(): Promise<void>;
  /** Settles when the server has ended, for whatever reason. */
  exited: Promise<unknown>;
}

interface SuperviseOptions<Server extends SupervisableServer> {
  name: string;
  /** The one that runs now. */
  server: Server;
  /** Starts it again on the same data and the same port. */
  restart: () => Promise<Server>;
  log: (line: string) => void;
  /** Called once, when starting it again has failed too often; nothing more is tried then. */
  onGiveUp: (error: Error) => void;
  /** Pauses before each attempt; after the last of them it is given up. */
  restartDelaysMs?: readonly number[];
}

const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000];
/** A server that ran this long before it ended gets all its attempts again. */
const STABLE_AFTER_MS = 60_000;

/** Starts a server again whenever it ends without having been asked to. */
export function superviseServer<Server extends SupervisableServer>(
  options: SuperviseOptions<Server>,
): { stop(): Promise<void> } {
  const { name, log, restartDelaysMs = RESTART_DELAYS_MS } = options;
  let { server } = options;
  let stopping = false;
  let attempts = 0;
  let wake = () => {};
  const pause = (delayMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** False when it was given up, or is no longer wanted. */
  async function startAgain(): Promise<boolean> {
    let last = '';
    while (attempts < restartDelaysMs.length) {
      await pause(restartDelaysMs[attempts]!);
      if (stopping) return false;
      attempts += 1;
      try {
        server = await options.restart();
        log(`${name} runs again`);
        return true;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
        log(`${name} could not be started again: ${last}`);
      }
    }
    const reason = last === '' ? 'it ended each time' : last;
    options.onGiveUp(new Error(`${name} was started again ${attempts} times in vain: ${reason}`));
    return false;
  }

  const watching = (async () => {
    for (;;) {
      const startedMs = performance.now();
      await server.exited;
      if (stopping) return;
      if (performance.now() - startedMs > STABLE_AFTER_MS) attempts = 0;
      log(`${name} ended unexpectedly and is started again`);
      if (!(await startAgain())) return;
      // A stop was requested while it started.
      if (stopping) await server.stop();
    }
  })();

  return {
    async stop() {
      stopping = true;
      wake();
      await server.stop();
      await watching;
    },
  };
}
