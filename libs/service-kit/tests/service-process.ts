import { NO_TELEMETRY } from '@cairn/testing';
import { createLogger, listenHttp, labelWork, runService } from '../src/index.ts';

/** A process as `main.ts` makes it, for the spec of its life. The first argument says how it fares. */
const [manner, stallMs = '0'] = process.argv.slice(2);
await runService(
  createLogger('sample', 'info'),
  async () => {
    if (manner === 'cannot-start') throw new Error('no database');
    const http = await listenHttp((_request, response) => response.end('hello'), { host: '127.0.0.1', port: 0 });
    if (manner === 'breaks') setTimeout(() => Promise.reject(new Error('forgotten')), 100);
    if (manner === 'stalls') stallAgain(Number(stallMs));
    return {
      addresses: { http: http.url },
      async close() {
        await http.close();
        if (manner === 'cannot-stop') throw new Error('still busy');
      },
    };
  },
  { loopStallMaxMs: 4_000, grpcListen: { host: '127.0.0.1', port: 0 }, ...NO_TELEMETRY },
);

/** Again and again: on a busy machine the thread that watches may begin its work after the first. */
function stallAgain(ms: number): void {
  setTimeout(() => {
    stall(ms);
    stallAgain(ms);
  }, 200);
}

function stall(ms: number): void {
  labelWork('run thr_1 (people) criteria');
  const until = performance.now() + ms;
  while (performance.now() < until);
}
