import { createHpmForwarder } from '../src/forward-with-hpm.ts';
import { describeForwarder } from './forwarder.conformance.ts';

describeForwarder('http-proxy-middleware', createHpmForwarder);
