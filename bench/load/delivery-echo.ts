/** Latency on an idle server, one at a time: from the answer of a POST until its message event arrives. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Measurement } from '../harness/benchmark';
import { measured } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';

export interface DeliveryEcho extends Shape {
  readonly options: { readonly port: number; readonly authorization: string; readonly key: string };
  readonly ready: null;
  readonly order: { readonly by: 'delivery' | 'message'; readonly milliseconds: number };
  readonly report: Measurement;
}

/** Idle time in between. */
const PAUSE_MS = 20;

program<DeliveryEcho>(async ({ port, authorization, key }) => {
  const base = `http://127.0.0.1:${port}/api/v1`;
  const headers = { Authorization: authorization };
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${base}${path}`, init);
    const body = (await answer.json()) as Record<string, unknown>;
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(body)}`);
    return body;
  };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const queue = await call('/register', { method: 'POST', headers, body: form({ event_types: '["message"]' }) });
  let last = Number(queue['last_event_id']);

  async function heard(text: string): Promise<void> {
    for (;;) {
      const query = form({ queue_id: String(queue['queue_id']), last_event_id: String(last) });
      const { events } = (await call(`/events?${query}`, { headers })) as {
        events: { id: number; message?: { content: string } }[];
      };
      last = Math.max(last, ...events.map(({ id }) => id));
      if (events.some(({ message }) => message?.content.includes(text))) return;
    }
  }

  const post = (by: 'delivery' | 'message', text: string) =>
    by === 'delivery'
      ? call(`/external/json?${form({ api_key: key, stream: 'test', topic: 'bench echo' })}`, {
          method: 'POST',
          body: JSON.stringify({ text }),
        })
      : call('/messages', {
          method: 'POST',
          headers,
          body: form({ type: 'stream', to: 'test', topic: 'bench echo', content: text }),
        });

  return {
    ready: null,
    async run({ by, milliseconds }) {
      const took: number[] = [];
      const end = performance.now() + milliseconds;
      while (performance.now() < end) {
        const text = randomBytes(8).toString('hex');
        const event = heard(text);
        await post(by, text);
        const answered = performance.now();
        await event;
        took.push(performance.now() - answered);
        await wait(PAUSE_MS);
      }
      return measured(took, milliseconds);
    },
  };
});
