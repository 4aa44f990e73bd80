import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { newUser, userOf } from '../../../support/chat/chat';
import { openEventStream } from '../../../support/chat/event-stream';
import { signedIn, signIn, type TestPage } from '../../../support/http/pages';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let other: TestNode;
const MEMBER = 'member@example.com';
const ME = '/api/v1/users/me';

beforeAll(async () => {
  cluster = await openCluster({ LOGIN_LIMIT: 'off', RATE_LIMIT: 'off' });
  await cluster.seed();
  [node, other] = await Promise.all([cluster.node(), cluster.node()]);
});
afterAll(() => cluster.close());

const ended = {
  status: 401,
  body: { result: 'error', msg: 'Your session has ended; sign in again', code: 'SESSION_ENDED' },
};

/** Creates a user with a password. */
async function person(name: string) {
  const user = await newUser(node, name);
  const { passwordHash } = await memberHash();
  await node.kernel.mysql('chat_users').where({ id: user.id }).update({ password_hash: passwordHash });
  return user;
}
async function memberHash() {
  const [row] = await node.kernel.mysql('chat_users').where({ email: MEMBER }).select('password_hash');
  return { passwordHash: (row as { password_hash: string }).password_hash };
}

describe('Ends of a session', () => {
  /** It ends at once on all nodes, also for a waiting poll, for a stream, and for a node that had cached its user. */
  async function expectEnd(page: TestPage, end: () => Promise<unknown>) {
    const { body: queue } = await page.call(other, '/api/v1/register', { method: 'POST' });
    const poll = () =>
      page.call(other, '/api/v1/events', {
        query: { queue_id: queue.queue_id, last_event_id: String(queue.last_event_id) },
      });
    const waiting = poll();
    const { body: streamed } = await page.call(other, '/api/v1/register', { method: 'POST' });
    const headers = { Cookie: page.cookie, 'X-Partyline-Token': page.token };
    const follow = () => openEventStream(other.url, { queue_id: streamed.queue_id }, headers);
    const stream = await follow();
    expect(stream.status).toBe(200);
    await until(async () => (await page.call(other, '/web/sessions')).status === 200);
    await end();
    for (const at of [node, other]) {
      const answer = await until(
        () => page.call(at, ME),
        ({ status }) => at === node || status !== 200,
      );
      expect(answer).toMatchObject(ended);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
    await waiting;
    await until(async () => (await poll()).status === 401);
    await until(stream.isOver);
    expect((await follow()).status).toBe(401);
  }

  test('A session is listed and ended by its own user only', async () => {
    const user = await person('lister');
    const [one, two] = [await signedIn(node, user.email), await signedIn(node, user.email)];
    const { body } = await one.call(other, '/web/sessions');
    expect(body.sessions).toHaveLength(2);
    expect(body.sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const id = body.sessions.find(({ current }: { current: boolean }) => !current).id;
    const unknown = { status: 400, body: { code: 'NO_SUCH_SESSION' } };
    const dropped = [/^partyline_session=; Path=\/; Max-Age=0; /, /^partyline_token=; Path=\/; Max-Age=0; /].map(
      (cookie) => expect.stringMatching(cookie),
    );
    const foreign = await signedIn(node, MEMBER);
    expect(await foreign.call(node, `/web/sessions/${id}`, { method: 'DELETE' })).toMatchObject(unknown);
    await expectEnd(two, () => one.call(node, `/web/sessions/${id}`, { method: 'DELETE' }));
    expect((await one.call(node, ME)).status).toBe(200);
    expect(await one.call(node, `/web/sessions/${id}`, { method: 'DELETE' })).toMatchObject(unknown);
    await expectEnd(one, async () => {
      const out = await one.call(node, '/web/session', { method: 'DELETE' });
      expect(out.headers.getSetCookie()).toEqual(dropped);
    });
    const after = await one.call(node, '/web/session');
    expect(after.body.signed_in).toBe(false);
    expect(after.headers.getSetCookie()).toEqual(dropped);
  });

  test('Deactivating a user ends their sessions, and reactivation does not restore them', async () => {
    const user = await person('leaver');
    const page = await signedIn(node, user.email);
    const admin = await userOf(node, 'owner');
    await expectEnd(page, () => admin.del(`/users/${user.id}`));
    expect((await signIn(node, user.email)).status).toBe(403);
    await admin.post(`/users/${user.id}/reactivate`);
    expect(await page.call(node, ME)).toMatchObject(ended);
  });

  test('A new password ends all sessions except the one that changed it', async () => {
    const user = await person('changer');
    const [one, two] = [await signedIn(node, user.email), await signedIn(node, user.email)];
    const form = { old_password: 'demo', new_password: 'correct horse battery staple' };
    await expectEnd(two, async () => {
      expect(await one.call(node, '/api/v1/settings', { method: 'PATCH', form })).toMatchObject({ status: 200 });
    });
    expect((await one.call(other, ME)).status).toBe(200);
    const back = { old_password: 'correct horse battery staple', new_password: 'another horse battery staple' };
    await expectEnd(one, () => user.patch('/settings', back));
  });

  test('A session ends after the configured days without use, and use extends it', async () => {
    const user = await person('idler');
    const page = await signedIn(node, user.email);
    const age = (days: number) =>
      node.kernel
        .mysql('chat_sessions')
        .where({ user_id: user.id })
        .update({
          last_used_at: node.kernel.mysql.raw('NOW(3) - INTERVAL ? DAY', [days]),
        });
    await age(29);
    expect((await page.call(node, ME)).status).toBe(200);
    await until(async () => {
      const { sessions } = (await page.call(node, '/web/sessions')).body;
      return Date.now() / 1000 - sessions[0].last_used_at < 60;
    });
    await age(31);
    // A node that has not served it lately: whoever a node has cached has used their session in the last minutes.
    expect(await page.call(await cluster.node(), ME)).toMatchObject(ended);
  });

  test('The fifty-first session of a user ends the one that was used longest ago', async () => {
    const user = await person('opener');
    const first = await signedIn(node, user.email);
    const rows = Array.from({ length: 49 }, (_, at) => ({
      user_id: user.id,
      token_hash: String(at).padStart(64, 'f'),
      agent: '',
      address: '',
      created_at: new Date(),
      last_used_at: new Date(Date.now() + 1000),
    }));
    await node.kernel.mysql('chat_sessions').insert(rows);
    expect((await first.call(node, ME)).status).toBe(200);
    const last = await signedIn(node, user.email);
    expect(await first.call(node, ME)).toMatchObject(ended);
    expect((await last.call(node, '/web/sessions')).body.sessions).toHaveLength(50);
  });
});
