import { parentPort, workerData } from 'node:worker_threads';
import { analyseGraph } from './analyse-graph.ts';
import type { AnalysisInput } from './analyse-in-thread.ts';
import { placeEntities } from './place-entities.ts';
import { reuseNumbers } from './stable-communities.ts';

const { edges, before } = workerData as AnalysisInput;
const found = analyseGraph(edges);
const metrics = { ...found, communities: reuseNumbers(found.communities, before.communities) };
const positions = placeEntities(edges, metrics, before.positions);
// A port of a thread, not a window: there is no origin to name.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage({ ...metrics, positions });
