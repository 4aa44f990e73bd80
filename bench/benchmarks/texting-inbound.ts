/** Inbound texts from a carrier, each verified and stored durably, compared with a bare Koa that only reads them. */
import { cpuOf, P50, P99, pairsByName, RATE, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { CarrierLoad } from '../load/carrier';
import type { BareServer } from '../programs/bare/koa-hello';

const CONNECTIONS = 64;
const NAME = 'texting-inbound';
/** The demo company's account. */
const ACCOUNT = { path: '/webhooks/texting/simulated/demo-carrier-one', secret: 'demo-secret-one', to: '+15550100001' };

export const textingInboundSuite: Suite = {
  benchmarks: [
    {
      name: NAME,
      about: `POST /webhooks/texting/simulated/…, each text another and signed, ${CONNECTIONS} connections`,
      limit: 'bare Koa with koa-bodyparser, POST, the same requests',
      unit: 'text',
      figures: [{ ...RATE, target: { of: 'ratio', is: 'at least', value: 0.4 } }, P50, P99, cpuOf('server')],
    },
  ],
  async open(bench) {
    const [load, bare, node] = await Promise.all([
      startProgram<CarrierLoad>('load/carrier', ACCOUNT),
      startProgram<BareServer>('programs/bare/koa-post', null),
      startNode(bench),
    ]);
    const side = (server: { pid: number }, port: number): Side => ({
      watched: [watchProcess('server', server), bench.redis, ...bench.mariadb, watchProcess('load', load)],
      run: (milliseconds) => load.run({ port, connections: CONNECTIONS, milliseconds }),
    });
    return pairsByName({ [NAME]: { limit: side(bare, bare.ready.port), ours: side(node, node.port) } });
  },
};
