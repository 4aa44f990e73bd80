/** A stream of events with a slow reader: events collected for it are not delivered after it has lost its rights. */
import { connect, type Socket } from 'node:net';
import { callerOf, demoPeople } from '../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
});
afterAll(() => cluster.close());

/** More than the buffers of a loopback connection hold, so that the server has to wait for the reader. */
const MESSAGES = 900;
const LENGTH = 9900;
const AT_ONCE = 20;

async function openStream(queueId: string, authorization: string): Promise<Socket> {
  const { hostname, port } = new URL(node.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `GET /api/v1/events?queue_id=${queueId}&last_event_id=-1 HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
      `Accept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  return socket;
}

test('A slow event stream delivers nothing that happened after its account was deactivated', async () => {
  const { owner } = await demoPeople(node);
  const email = 'slow-reader@example.com';
  await owner.post('/users', {
    email,
    password: 'a long and winding road 71',
    full_name: 'Slow Reader',
    short_name: 's',
  });
  const reader = await callerOf(node, email);
  const { body } = await reader.post('/register', { event_types: '["message", "user_status"]' });
  const socket = await openStream((body as { queue_id: string }).queue_id, reader.headers['Authorization']!);
  for (let sent = 0; sent < MESSAGES; sent += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) =>
      owner.post('/messages', {
        type: 'private',
        to: JSON.stringify([email]),
        content: `${sent + at}:`.padEnd(LENGTH, ' word'),
      }),
    );
    for (const { body: answer } of await Promise.all(some)) expect((answer as { msg: string }).msg).toBe('');
  }
  expect((await owner.del(`/users/${reader.id}`)).status).toBe(200);
  await owner.post('/users/me/status', { status_text: 'after-the-loss' });
  expect((await owner.get('/users/me')).status).toBe(200);
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => void (text = (text + chunk).slice(-30_000_000)));
  socket.resume();
  // The server ends the stream: an empty chunk is the end of the response.
  await until(() => text.endsWith('\r\n0\r\n\r\n') || socket.closed);
  socket.destroy();
  expect(text).toContain('data: ');
  expect(text).not.toContain('after-the-loss');
  const last = Number([...text.matchAll(/"content":"(?:<p>)?(\d+): word/g)].at(-1)![1]);
  // Some of the collected events were held back, because the client did not read them in time.
  expect(last).toBeLessThan(MESSAGES - 1);
});
