/** Deliveries of external services, all different, over keep-alive connections spread over nodes and bots. */
import { randomBytes } from 'node:crypto';
import type { Measurement } from '../harness/benchmark';
import { closedLoop, type Loop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';
import { openSender, type Sender } from './sender';

export interface DeliveryLoad extends Shape {
  readonly options: {
    readonly keys: readonly string[];
    readonly trivialRequest?: string;
  };
  readonly ready: null;
  readonly order: Loop & { readonly ports: readonly number[]; readonly topic: string; readonly trivial?: boolean };
  readonly report: Measurement;
}

program<DeliveryLoad>(({ keys, trivialRequest = '' }) => {
  const request = (index: number, topic: string, run: string) => {
    const title = `Article ${index} of ${run}`;
    const body = JSON.stringify({ featured_title: title, featured_url: 'https://example.com/article' });
    const query = `api_key=${keys[index % keys.length]}&stream=test&topic=${topic}`;
    return (
      `POST /api/v1/external/helloworld?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  return Promise.resolve({
    ready: null,
    async run({ ports, topic, trivial = false, ...loop }) {
      const run = randomBytes(6).toString('hex');
      const senders = Array.from({ length: loop.concurrency }, (_, index) => openSender(ports[index % ports.length]!));
      const idle: Sender[] = [...senders];
      const measurement = await closedLoop(loop, async (index) => {
        const sender = idle.pop()!;
        await sender.post(trivial ? trivialRequest : request(index, topic, run));
        idle.push(sender);
      });
      for (const sender of senders) sender.close();
      return measurement;
    },
  });
});
