/** Many clients of one company on several nodes, and the publisher: the next event when all have the previous one. */
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { loadConfig } from '../../config';
import { openKernel } from '../../src/kernel/kernel';
import { companyDelivery } from '../../src/telephony/model/companies/company-event';
import type { WireText } from '../../src/telephony/model/answers/texting';
import type { CompanyId } from '../../src/telephony/model/companies/company';
import type { Measurement } from '../harness/benchmark';
import { program, type Shape } from '../harness/program';
import { latency } from '../harness/statistics';
import { EVENT } from '../programs/payload';
import { ROOM } from '../programs/room';
import { connectClients } from './sockets';

const NAME = 'texting.message.new';

export type Teller =
  | { readonly kind: 'bare'; readonly redisUrl: string; readonly key: string }
  | { readonly kind: 'commit'; readonly environment: Readonly<Record<string, string>>; readonly companyId: string }
  | { readonly kind: 'post'; readonly port: number; readonly conversation: string };

export interface CompanySockets extends Shape {
  readonly options: {
    readonly ports: readonly number[];
    readonly clients: number;
    readonly token: string;
    readonly tellers: Readonly<Record<string, Teller>>;
  };
  readonly ready: null;
  readonly order: { readonly milliseconds: number; readonly teller: string; readonly outstanding: number };
  /** A unit is one delivery; latencies are from publishing to each client. */
  readonly report: Measurement;
}

/** Publishes an event with this id, and returns the time from which its latency counts. */
type Tell = (id: string, text: string) => Promise<number>;

async function openTeller(teller: Teller, token: string): Promise<Tell> {
  if (teller.kind === 'bare') {
    const server = new Server();
    server.adapter(createAdapter(new Redis(teller.redisUrl), new Redis(teller.redisUrl), { key: teller.key }));
    return (id, text) => {
      const now = performance.now();
      server.to(ROOM).emit(NAME, { id, text });
      return Promise.resolve(now);
    };
  }
  if (teller.kind === 'commit') {
    const kernel = await openKernel(loadConfig(teller.environment));
    return async (id, text) => {
      const message = { id, conversation_id: '', text } as WireText;
      await kernel.transaction((tx) =>
        Promise.resolve(tx.deliver(companyDelivery(teller.companyId as CompanyId, NAME, message))),
      );
      return performance.now();
    };
  }
  const headers = { Authorization: `Bearer ${token}`, 'X-User-Id': 'primary', 'Content-Type': 'application/json' };
  const url = `http://127.0.0.1:${teller.port}/texting/conversations/${teller.conversation}/messages`;
  return async (id) => {
    const now = performance.now();
    const body = JSON.stringify({ text: TEXT_OF_POST, stamp_id: id });
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`POST answered ${answer.status}`);
    return now;
  };
}

/** A long text, so that the event is about as large as in other benchmarks. */
const TEXT_OF_POST = 'x'.repeat(600);

program<CompanySockets>(async ({ ports, clients, token, tellers }) => {
  const sockets = await connectClients(ports, clients, token);
  const opened = new Map<string, Tell>();
  for (const [name, teller] of Object.entries(tellers)) opened.set(name, await openTeller(teller, token));
  /** When each client received an event, by the event's id. */
  const receipts = new Map<string, number[]>();
  let wake = () => {};
  for (const socket of sockets) {
    socket.on(NAME, ({ id, stamp_id: stamp }: { id: string; stamp_id?: string }) => {
      const times = receipts.get(stamp ?? id);
      if (times && times.push(performance.now()) === clients) wake();
    });
  }
  let published = 0;
  return {
    ready: null,
    async run({ milliseconds, teller, outstanding }) {
      const tell = opened.get(teller)!;
      const took: number[] = [];
      const began = performance.now();
      while (performance.now() < began + milliseconds) {
        const ids = Array.from({ length: outstanding }, () => `${process.pid}-${(published += 1)}`);
        const waiting = ids.map((id) => {
          receipts.set(id, []);
          return id;
        });
        const starts = await Promise.all(waiting.map((id) => tell(id, EVENT)));
        while (ids.some((id) => receipts.get(id)!.length < clients)) {
          await new Promise<void>((resolve) => (wake = resolve));
        }
        for (const [place, id] of ids.entries()) {
          for (const at of receipts.get(id)!) took.push(Math.max(0, at - starts[place]!));
          receipts.delete(id);
        }
      }
      const elapsed = performance.now() - began;
      return { units: took.length, figures: { rate: (took.length / elapsed) * 1000, ...latency(took) } };
    },
  };
});
