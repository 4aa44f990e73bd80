/** A tenant that uses all it may: its people send until they are refused, and retry as soon as allowed. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { program, type Shape } from '../harness/program';
import { TenantClient, type Tenant } from './tenant-client';

export interface NoisyTenant extends Shape {
  readonly options: {
    readonly tenant: Tenant;
    readonly ports: readonly number[];
    readonly people: number;
    /** Rate of deliveries and of texts, because services and carriers cannot be told to come later. */
    readonly perSecond: number;
  };
  readonly ready: null;
  readonly order: 'begin' | 'stop';
  /** How many messages were sent and refused since it began. */
  readonly report: { readonly sent: number; readonly refused: number };
}

program<NoisyTenant>(({ tenant, ports, people, perSecond }) => {
  const client = new TenantClient(tenant);
  let running = new AbortController();
  let counts = { sent: 0, refused: 0 };
  let lanes: Promise<unknown>[] = [];
  let number = 0;
  running.abort();

  /** Waits as long as Retry-After says. */
  async function person(at: number, ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const { status, headers } = await client.send(ports[at % ports.length]!, at, `one of many ${number++}`);
      if (status === 200) counts.sent += 1;
      else counts.refused += 1;
      const seconds = Number(headers['retry-after'] ?? 0);
      if (seconds > 0)
        await wait(seconds * 1000 * (1 + Math.random() / 2), undefined, { signal: ending }).catch(() => {});
    }
  }

  async function steadily(ending: AbortSignal, post: () => Promise<unknown>): Promise<void> {
    for (let next = performance.now(); !ending.aborted; next += 1000 / perSecond) {
      await wait(Math.max(0, next - performance.now()));
      void post();
    }
  }

  const portOf = () => ports[number++ % ports.length]!;
  return Promise.resolve({
    ready: null,
    async run(order) {
      running.abort();
      await Promise.all(lanes);
      const before = counts;
      lanes = [];
      if (order === 'stop') return before;
      counts = { sent: 0, refused: 0 };
      running = new AbortController();
      const { signal } = running;
      // Every person adds a listener.
      setMaxListeners(0, signal);
      lanes = [
        ...Array.from({ length: people }, (_, at) => person(at, signal)),
        steadily(signal, () => client.deliver(portOf(), number, `delivery ${number}`)),
        steadily(signal, () => client.text(portOf(), `text-${Date.now()}-${number}`)),
      ];
      return before;
    },
  });
});
