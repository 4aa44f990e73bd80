/** Requests the same large response again and again, on new connections of which some are reset in the middle. */
import { connect } from 'node:net';
import type { Abuse, AbuseCounts, Target } from '../abuse';

/** Enough to keep the node busy; the limit on polls of one account stops most of them. */
const CONNECTIONS = 50;
const MESSAGES = 120;

let request = '';

async function prepare(target: Target): Promise<void> {
  const [member, other] = [await target.basic('member@example.com'), await target.basic('other@example.com')];
  const form = { event_types: '["message"]', fetch_event_types: '["message"]' };
  const { body } = await target.call('/api/v1/register', { form, headers: member });
  for (let sent = 0; sent < MESSAGES; sent += 1) {
    const message = { type: 'stream', to: 'test', topic: 'repeated', content: `${sent} ${'x'.repeat(9000)}` };
    await target.call('/api/v1/messages', { form: message, headers: other });
  }
  const path = `/api/v1/events?queue_id=${(body as { queue_id: string }).queue_id}&last_event_id=-1&dont_block=true`;
  const head = `Host: 127.0.0.1\r\nAuthorization: ${member.Authorization}\r\nConnection: close`;
  request = `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`;
}

/** Returns the status, or the reason why there is none. */
function poll(target: Target, isReset: boolean): Promise<string> {
  return new Promise((resolve) => {
    let status = 'no answer';
    const socket = connect(target.port, '127.0.0.1', () => socket.write(request));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      if (status === 'no answer') status = chunk.toString('latin1', 9, 12);
      if (isReset) socket.resetAndDestroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(status));
  });
}

export const repeatedPolls: Abuse = {
  name: 'repeated-polls',
  summary: 'One account asks for the same megabyte of events without end, half of the time breaking the connection.',
  prepare,
  async run(target, signal) {
    const counts: AbuseCounts = {};
    const attack = async (index: number) => {
      while (!signal.aborted) {
        const status = await poll(target, index % 2 === 0);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => attack(index)));
    return counts;
  },
};
