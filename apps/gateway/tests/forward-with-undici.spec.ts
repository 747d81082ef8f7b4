import { createHpmForwarder } from '../src/forwarding/forward-with-hpm.ts';
import { createUndiciForwarder } from '../src/forwarding/forward-with-undici.ts';
import { describeForwarder } from './forwarder.conformance.ts';

describeForwarder('undici', (onFailure) => createUndiciForwarder(onFailure, createHpmForwarder(onFailure)));
