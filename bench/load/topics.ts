/** Topics of the stream "general" with numbered messages, sent as clients send them. */
import type { Tell } from './by-when';

const AT_ONCE = 16;
const STREAM = { id: 1, name: 'general' };

export interface Topics {
  /** The path of a topic with at least this many messages: "name 0", "name 1", … */
  path(name: string, count: number, tell?: Tell): Promise<string>;
  say(name: string, count: number, tell?: Tell): Promise<void>;
  count(name: string): number;
  lastId(name: string): number;
}

export function openTopics(url: string, key: string): Topics {
  const counts = new Map<string, number>();
  const lastIds = new Map<string, number>();
  const authorization = `Basic ${Buffer.from(`owner@example.com:${key}`).toString('base64')}`;

  async function send(topic: string, content: string): Promise<number> {
    const answer = await fetch(`${url}/api/v1/messages`, {
      method: 'POST',
      headers: { Authorization: authorization },
      body: new URLSearchParams({ type: 'stream', to: STREAM.name, topic, content }),
    });
    const { id, msg } = (await answer.json()) as { id?: number; msg: string };
    if (id === undefined) throw new Error(`a message was refused: ${msg}`);
    return id;
  }

  async function say(name: string, count: number, tell?: Tell): Promise<void> {
    const from = counts.get(name) ?? 0;
    const end = from + count;
    counts.set(name, end);
    // The first and last are sent alone, so that they are the first and last.
    let next = from;
    lastIds.set(name, await send(name, `${name} ${next++}`));
    const one = async (): Promise<void> => {
      while (next < end - 1) {
        await send(name, `${name} ${next++}`);
        tell?.(`${next - from} of ${count} messages sent`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    if (next < end) lastIds.set(name, await send(name, `${name} ${next}`));
  }

  return {
    async path(name, count, tell) {
      const missing = count - (counts.get(name) ?? 0);
      if (missing > 0) await say(name, missing, tell);
      return `/stream/${STREAM.id}/topic/${name}`;
    },
    say,
    count: (name) => counts.get(name) ?? 0,
    lastId: (name) => lastIds.get(name)!,
  };
}
