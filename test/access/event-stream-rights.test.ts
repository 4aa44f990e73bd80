/** Streams of events end with the right to them, on every node, also those of slow readers. */
import { connect, type Socket } from 'node:net';
import { reactivateRealm } from '../../src/chat/commands/organisation/realms';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import { openEventStream } from '../support/chat/event-stream';
import { callerOf, demoPeople, type Caller } from '../support/chat/people';
import { signedIn, type TestPage } from '../support/http/pages';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;
const PASSWORD = 'a long and winding road 71';

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOGIN_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
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
  await owner.post('/users', { email, password: PASSWORD, full_name: 'Slow Reader', short_name: 's' });
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

interface Reader {
  readonly owner: Caller;
  readonly reader: Caller;
  readonly page: TestPage;
}

const withCookie = ({ cookie, token }: TestPage) => ({ Cookie: cookie, 'X-Partyline-Token': token });

const ENDS: readonly {
  readonly what: string;
  /** The status of the next request for a stream. */
  readonly next: number;
  readonly bySession?: boolean;
  readonly end: (of: Reader) => Promise<unknown>;
}[] = [
  {
    what: 'their session is ended',
    next: 401,
    bySession: true,
    end: ({ page }) => page.call(node, '/web/session', { method: 'DELETE' }),
  },
  { what: 'their key is replaced', next: 401, end: ({ reader }) => reader.post('/users/me/api_key/regenerate') },
  {
    what: 'their role changes',
    next: 200,
    end: ({ owner, reader }) => owner.patch(`/users/${reader.id}`, { is_guest: 'true' }),
  },
  { what: 'their account is deactivated', next: 401, end: ({ owner, reader }) => owner.del(`/users/${reader.id}`) },
  { what: 'their organisation is deactivated', next: 401, end: ({ owner }) => owner.post('/realm/deactivate') },
];

test.each(ENDS)('A stream on another node ends when $what', async ({ what, next, bySession = false, end }) => {
  const { owner } = await demoPeople(node);
  const email = `${what.replaceAll(/[^a-z]/g, '-')}@example.com`;
  await owner.post('/users', { email, password: PASSWORD, full_name: what, short_name: 'r' });
  const [reader, page] = [await callerOf(node, email), await signedIn(node, email, PASSWORD)];
  const headers = bySession ? withCookie(page) : reader.headers;
  const event_types = '["stream", "user_status"]';
  const { body } = await node.call('/api/v1/register', { method: 'POST', form: { event_types }, headers });
  const follow = () => openEventStream(second.url, { queue_id: body.queue_id }, headers);
  const stream = await follow();
  await owner.post('/users/me/status', { status_text: 'before' });
  await until(() => stream.text().includes('before'));
  await end({ owner, reader, page });
  await until(() => stream.isOver());
  expect(stream.text()).toMatch(/retry: \d+\n\n$/);
  await until(async () => {
    const again = await follow();
    again.close();
    return again.status === next;
  });
  await reactivateRealm(node.kernel.transaction, 1 as RealmId);
  await owner.post('/users/me/status', { status_text: 'after-the-end' });
  expect(stream.text()).not.toContain('after-the-end');
});
