import { join } from 'node:path';
import { startCluster } from './cluster.ts';
setTimeout(() => process.exit(3), Number(process.env['TRY_MS'] ?? 40000)).unref();
try {
const c = await startCluster({ root: process.env['CAIRN_CLUSTER_ROOT'] ?? '/', folder: '/work/scratch-cluster/data', bundles: join(import.meta.dirname, '../../../dist/bundles'), replicas: Number(process.env['TRY_REPLICAS'] ?? 2), say: (l) => console.log(l) });
console.log(await c.operator('tenant', 'create', '--name=x'));
console.log((await c.primary())?.name);
} catch (e) { console.log(e); }
process.exit(0);
