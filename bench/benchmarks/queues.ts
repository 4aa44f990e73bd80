/** Registers event queues over HTTP, as clients do, a few at a time. */
import type { Person } from '../harness/crowd';
import { formRequest, openSender } from '../load/sender';

export interface Queue {
  readonly person: Person;
  readonly id: string;
}

const AT_ONCE = 16;
const FORM = { event_types: '["message"]', fetch_event_types: '["message"]' };

/** One queue per entry; a person may occur several times. */
export async function registerQueues(port: number, people: readonly Person[]): Promise<Queue[]> {
  const queues: Queue[] = [];
  const waiting = [...people];
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    const connection = openSender(port);
    for (let person = waiting.pop(); person; person = waiting.pop()) {
      const body = await connection.post(formRequest('/api/v1/register', person.authorization, FORM, person.host));
      queues.push({ person, id: (JSON.parse(body) as { queue_id: string }).queue_id });
    }
    connection.close();
  });
  await Promise.all(lanes);
  return queues;
}

/** The headers that such a client sends with every poll. */
export const pollHead = ({ authorization, host = '127.0.0.1' }: Person): string =>
  `Host: ${host}\r\nUser-Agent: bench\r\nAuthorization: ${authorization}\r\n`;

/** Makes an event 1.2 KB long. */
export const CONTENT = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(9);

/** Requests that each send one message to a stream, one per person, so that nobody exceeds their rate limit. */
export const messagesTo = (stream: string, people: readonly Person[], content = CONTENT): string[] =>
  people.map(({ authorization }) =>
    formRequest('/api/v1/messages', authorization, { type: 'stream', to: stream, topic: 'benchmarks', content }),
  );
