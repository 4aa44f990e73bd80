/** Creates extensions from its own process, with fixed concurrency, spread over instances. */
import { Agent, request } from 'node:http';
import type { Measurement } from '../harness/benchmark';
import { closedLoop, type Loop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';

export interface ExtensionLoad extends Shape {
  readonly options: null;
  readonly ready: null;
  readonly order: Loop & {
    readonly port: number;
    /** The instances that creations go to in turn. */
    readonly instances: readonly string[];
    /** `node`: POST to ours. `pbx`: PUT to the PBX itself. */
    readonly to: 'node' | 'pbx';
  };
  readonly report: Measurement;
}

const HEADERS = { Authorization: 'Bearer demo-key-one', 'X-User-Id': 'primary', 'Content-Type': 'application/json' };

program<ExtensionLoad>(() => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  let number = 10_000;

  function send(port: number, { method, path, body }: { method: string; path: string; body: string }): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { ...HEADERS, 'Content-Length': Buffer.byteLength(body) };
      const call = request({ port, host: '127.0.0.1', method, path, agent, headers }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  return Promise.resolve({
    ready: null,
    async run({ port, instances, to, ...loop }) {
      let refused = 0;
      const measurement = await closedLoop(loop, async (index) => {
        number += 1;
        const instance = instances[index % instances.length]!;
        const body = JSON.stringify({ data: { id: number, name: `Phone ${number}` } });
        const order =
          to === 'node'
            ? { method: 'POST', path: `/instances/${instance}/bulks/extensions`, body }
            : { method: 'PUT', path: `/instances/${instance}/extensions/${number}`, body };
        const status = await send(port, order);
        if (status !== (to === 'node' ? 201 : 200)) refused += 1;
      });
      const { units, figures } = measurement;
      return { units, figures: { ...figures, refused: (refused / Math.max(units, 1)) * 100 } };
    },
  });
});
