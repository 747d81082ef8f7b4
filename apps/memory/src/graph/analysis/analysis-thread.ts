import { parentPort, workerData } from 'node:worker_threads';
import { analyseGraph } from './analyse-graph.ts';
import type { EdgeList } from './page-rank.ts';
import { keepNumbers } from './stable-communities.ts';

const { edges, before } = workerData as { edges: EdgeList; before: Int32Array };
const { centrality, communities } = analyseGraph(edges);
// A port of a thread, not a window: there is no origin to name.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage({ centrality, communities: keepNumbers(communities, before) });
