import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import type { MessageId } from '../../../../src/chat/model/messages/message';
import { setSentAt } from '../../../../src/chat/store/messages/messages';
import { chatOf } from '../../../support/kernel/parts';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { talker, type Talker } from '../../../support/chat/room';

let cluster: Cluster;
let node: TestNode;
let member: Talker;
let other: Talker;
let owner: Talker;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await talker(node, 'member@example.com');
  other = await talker(node, 'other@example.com');
  owner = await talker(node, 'owner@example.com');
});
afterAll(() => cluster.close());

const NEWEST = 10_000_000_000_000_000;
const idsIn = (body: { messages: { id: number }[] }) => body.messages.map(({ id }) => id);

describe('GET /messages', () => {
  test('GET /messages returns every specified field of a stream message', async () => {
    const id = await other.toStream('test', 'Fields', '*hi*');
    const { status, body } = await member.read([], { anchor: String(id), num_before: '0', num_after: '0' });
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      anchor: id,
      found_anchor: true,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
      messages: [
        {
          id,
          type: 'stream',
          content: expect.stringContaining('<p>'),
          content_type: 'text/html',
          subject: 'Fields',
          subject_links: [],
          stream_id: expect.any(Number),
          display_recipient: 'test',
          recipient_id: expect.any(Number),
          sender_email: 'other@example.com',
          sender_full_name: 'Ola Other',
          sender_id: other.userId,
          sender_realm_str: '',
          sender_short_name: 'other',
          avatar_url: expect.stringContaining('https://secure.gravatar.com/avatar/'),
          client: 'node',
          flags: [],
          is_me_message: false,
          reactions: [],
          submessages: [],
          timestamp: expect.any(Number),
        },
      ],
    });
    for (const name of ['client_gravatar', 'client_avatar']) {
      const raw = await member.read([], { apply_markdown: 'false', [name]: 'true', num_before: '1' });
      expect(raw.body.messages).toMatchObject([{ content: '*hi*', content_type: 'text/x-markdown', avatar_url: null }]);
    }
  });

  test('GET /messages lists the participants of private messages in order, without a stream', async () => {
    const pair = await member.toPeople(['other@example.com']);
    const group = await member.toPeople(['owner@example.com', 'other@example.com']);
    const self = await member.toPeople(['member@example.com']);
    const { body } = await member.read([['is', 'private']]);
    const of = (id: number) => body.messages.find((message: { id: number }) => message.id === id);
    expect(of(pair)).toMatchObject({ type: 'private', subject: '' });
    expect(of(pair)).not.toHaveProperty('stream_id');
    const emails = (id: number) => of(id).display_recipient.map(({ email }: { email: string }) => email);
    expect(emails(pair)).toEqual(['member@example.com', 'other@example.com']);
    expect(emails(group)).toEqual(['owner@example.com', 'member@example.com', 'other@example.com']);
    expect(of(self).display_recipient).toEqual([
      {
        id: member.userId,
        email: 'member@example.com',
        full_name: 'Max Member',
        short_name: 'member',
        is_mirror_dummy: false,
      },
    ]);
  });

  test('GET /messages without an anchor or with bad counts is refused with the reason', async () => {
    const ask = (query: Record<string, string>) => member.get('/messages', query);
    expect(await ask({ num_before: '1', num_after: '1' })).toMatchObject({
      status: 400,
      body: { msg: "Missing 'anchor' argument (or set 'use_first_unread_anchor'=True)." },
    });
    expect((await ask({ num_before: '1', num_after: '1' })).body).not.toHaveProperty('code');
    const tooMany = await ask({ anchor: '1', num_before: '5000', num_after: '1' });
    expect(tooMany).toMatchObject({ status: 400, body: { msg: 'Too many messages requested (maximum 5000).' } });
    expect(tooMany.body).not.toHaveProperty('code');
    expect(await ask({ anchor: '1', num_after: '1' })).toMatchObject({
      body: { msg: "Missing 'num_before' argument", code: 'REQUEST_VARIABLE_MISSING', var_name: 'num_before' },
    });
    for (const [name, value] of [
      ['num_before', '-1'],
      ['num_after', '4294967296'],
      ['anchor', 'latest'],
      ['narrow', '{"a":1}'],
      ['narrow', 'nonsense'],
    ]) {
      const answer = await ask({ anchor: '1', num_before: '1', num_after: '1', [name!]: value! });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'REQUEST_VARIABLE_INVALID', var_name: name, msg: `Bad value for '${name}': ${value}` },
      });
    }
    expect((await ask({ anchor: '1', num_before: '4999', num_after: '1' })).status).toBe(200);
  });
});

describe('Anchors', () => {
  let ids: number[];
  const narrow = [{ operator: 'topic', operand: 'anchors' }];
  const around = async (anchor: number, before: number, after: number) => {
    const more = { anchor: String(anchor), num_before: String(before), num_after: String(after) };
    const { body } = await member.read(narrow, more);
    return { ...body, messages: idsIn(body) };
  };

  beforeAll(async () => {
    ids = [];
    for (let count = 0; count < 6; count += 1) {
      ids.push(await other.toStream('test', 'Anchors'));
      await other.toStream('test', 'between');
    }
  });

  test('An anchor returns the message itself and its neighbours on both sides', async () => {
    expect(await around(ids[2]!, 1, 2)).toMatchObject({
      anchor: ids[2],
      messages: ids.slice(1, 5),
      found_anchor: true,
      found_oldest: false,
      found_newest: false,
    });
    expect(await around(ids[2]!, 9, 9)).toMatchObject({ messages: ids, found_oldest: true, found_newest: true });
    expect(await around(ids[2]!, 2, 0)).toMatchObject({ messages: ids.slice(0, 3), found_newest: false });
    expect(await around(ids[2]!, 0, 1)).toMatchObject({ messages: ids.slice(2, 4), found_oldest: false });
    expect(await around(ids[2]!, 0, 0)).toMatchObject({ messages: [ids[2]], found_anchor: true });
  });

  test('An anchor outside the narrow returns the nearest messages of the narrow', async () => {
    expect(await around(ids[2]! + 1, 1, 1)).toMatchObject({ messages: ids.slice(2, 4), found_anchor: false });
    expect(await around(ids[2]! + 1, 0, 0)).toMatchObject({ messages: [], found_anchor: false });
  });

  test('The anchor zero means the oldest message, and very large anchors mean the newest', async () => {
    expect(await around(0, 5, 2)).toMatchObject({
      anchor: 0,
      messages: ids.slice(0, 2),
      found_oldest: true,
      found_newest: false,
      found_anchor: false,
    });
    for (const anchor of [NEWEST, Number.MAX_SAFE_INTEGER]) {
      expect(await around(anchor, 2, 5)).toMatchObject({
        anchor,
        messages: ids.slice(4),
        found_oldest: false,
        found_newest: true,
        found_anchor: false,
      });
      expect(await around(anchor, 0, 0)).toMatchObject({ messages: [] });
    }
  });

  test('An anchor beyond any safe integer means the newest message and returns as an integer', async () => {
    for (const anchor of ['9'.repeat(23), `1${'0'.repeat(400)}`]) {
      const { body, text } = await member.read(narrow, { anchor, num_before: '2', num_after: '0' });
      expect(text).toContain(`"anchor":${NEWEST},`);
      expect(body).toMatchObject({ messages: [{ id: ids[4] }, { id: ids[5] }], found_newest: true });
    }
    const { body } = await member.read(narrow, { anchor: `-${'9'.repeat(23)}`, num_before: '0', num_after: '1' });
    expect(body).toMatchObject({ anchor: -NEWEST, messages: [{ id: ids[0] }] });
  });

  test('The first unread anchor is computed, whatever anchor the request sends with it', async () => {
    const first = { use_first_unread_anchor: 'true', num_before: '1', num_after: '1' };
    const { body } = await member.read(narrow, { ...first, anchor: '0' });
    expect(body).toMatchObject({ anchor: ids[0], found_anchor: true });
    expect(idsIn(body)).toEqual(ids.slice(0, 2));
    expect((await member.read([['topic', 'nothing here']], first)).body).toMatchObject({
      anchor: NEWEST,
      messages: [],
    });
    expect((await member.read(narrow, { ...first, use_first_unread_anchor: 'false', anchor: '0' })).body.anchor).toBe(
      0,
    );
  });

  test('An empty conversation has found both its oldest and its newest message', async () => {
    const { body } = await owner.read([['pm-with', 'guest@example.com']]);
    expect(body).toMatchObject({ messages: [], found_oldest: true, found_newest: true, found_anchor: false });
  });

  test('The anchor `date` is the first message of the narrow since that time', async () => {
    const { id: realmId } = await getRealm(chatOf(node.kernel));
    const ids: number[] = [];
    for (const at of ['2090-03-01', '2090-03-02', '2090-03-02', '2090-03-05']) {
      const id = await other.toStream('test', `Dates ${ids.length % 2}`, at);
      await setSentAt(node.kernel.mysql, realmId, { id: id as MessageId, sentAt: Date.parse(at) / 1000 });
      ids.push(id);
    }
    const narrow = [{ operator: 'topic', operand: 'Dates 1' }];
    const anchorAt = async (anchor_date: string, terms = narrow) =>
      (await member.read(terms, { anchor: 'date', anchor_date, num_before: '0', num_after: '0' })).body;
    expect(await anchorAt('2090-03-01')).toMatchObject({
      anchor: ids[1],
      found_anchor: true,
      messages: [{ id: ids[1] }],
    });
    expect(await anchorAt('2090-03-02T01:00:00+02:00')).toMatchObject({ anchor: ids[1] });
    expect(await anchorAt('2090-03-02 00:00:01')).toMatchObject({ anchor: ids[3] });
    expect(await anchorAt('2099-01-01')).toMatchObject({ anchor: NEWEST, messages: [] });
  });

  test('The anchor `date` is refused without a date, or with one that is none', async () => {
    const ask = (more: Record<string, string>) =>
      member.read([], { anchor: 'date', num_before: '0', num_after: '0', ...more });
    expect((await ask({})).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'anchor_date' });
    for (const anchor_date of ['yesterday', '2021-13-01', '1614556800']) {
      expect((await ask({ anchor_date })).body).toMatchObject({ var_name: 'anchor_date', bad_value: anchor_date });
    }
  });
});
