import type { TestUser } from '../../../support/chat/chat';
import { ids, move, openMoving, quietly, type Moving } from './moving-support';

let { cluster, mysql, member, other, guest, idOf, send, open, read } = {} as Moving;
beforeAll(async () => {
  ({ cluster, mysql, member, other, guest, idOf, send, open, read } = await openMoving());
});
afterAll(() => cluster.close());

describe('Readers of moved messages', () => {
  test('What was unread stays unread, and those who did not know a message have it read', async () => {
    await open('shore', [member, other]);
    const to = await open('beach', [member, other, guest]);
    await send('beach', 'sand');
    const sent = [await send('shore', 'waves'), await send('shore', 'waves')];
    await other.post('/messages/flags', { messages: [sent[0]], op: 'add', flag: 'read' });
    await other.post('/messages/flags', { messages: [sent[1]], op: 'add', flag: 'starred' });
    await move(member, sent[0]!, { stream_id: to, topic: 'sand', propagate_mode: 'change_all', ...quietly });
    const flagsOf = async (by: TestUser) => {
      const found = await read(by, 'beach', 'sand');
      return sent.map((id) => found.find((each) => each.id === id)!.flags);
    };
    expect(await flagsOf(other)).toEqual([['read'], ['starred']]);
    expect(await flagsOf(guest)).toEqual([['read'], ['read']]);
    await other.post('/mark_topic_as_read', { stream_id: to, topic_name: 'sand' });
    expect(await flagsOf(other)).toEqual([['read'], ['read', 'starred']]);
  });

  test('Into an empty topic of a quiet stream no row is written for each message and reader', async () => {
    await open('busy', [member, other, guest]);
    const to = await open('still', [member, other, guest]);
    const sent: number[] = [];
    for (let at = 0; at < 5; at += 1) sent.push(await send('busy', 'work'));
    await other.post('/mark_stream_as_read', { stream_id: await idOf('busy') });
    const rows = async () => Number((await mysql('chat_read_exceptions').count({ n: '*' }))[0]!['n']);
    const before = await rows();
    await move(member, sent[0]!, { stream_id: to, propagate_mode: 'change_all', ...quietly });
    expect(await rows()).toBe(before);
    const unread = async (by: TestUser) =>
      (await read(by, 'still', 'work')).filter(({ flags }) => !flags.includes('read'));
    expect(await unread(other)).toEqual([]);
    expect(ids(await unread(guest))).toEqual(sent);
  });

  test('Those who may not read the new stream are told of deletions, and lose their stars', async () => {
    await open('lobby', [member, other]);
    const to = await open('vault', [member], { invite_only: true });
    const sent = [await send('lobby', 'keys'), await send('lobby', 'keys')];
    await other.post('/messages/flags', { messages: sent, op: 'add', flag: 'starred' });
    const [lost, kept] = [
      await other.listen(['delete_message', 'update_message']),
      await member.listen(['update_message']),
    ];
    await move(member, sent[0]!, { stream_id: to, propagate_mode: 'change_all', ...quietly });
    expect((await lost()).map(({ type, message_id: id }) => [type, id])).toEqual(
      sent.map((id) => ['delete_message', id]),
    );
    expect((await kept())[0]).toMatchObject({ message_ids: sent, new_stream_id: to });
    expect((await other.get(`/messages/${sent[0]}`)).status).toBe(400);
    const { starred_messages: starred } = (await other.post('/register', {})).body;
    expect(starred.filter((id: number) => sent.includes(id))).toEqual([]);
  });

  test('A former subscriber of a private stream does not read what moves in from the time they were there', async () => {
    await open('office', [member]);
    const to = await open('safe', [member, other], { invite_only: true });
    const early = await send('safe', 'x');
    const moved = await send('office', 'salaries');
    const late = await send('safe', 'x');
    await other.del('/users/me/subscriptions', { subscriptions: ['safe'] });
    await move(member, moved, { stream_id: to, ...quietly });
    for (const [id, status] of [
      [early, 200],
      [moved, 400],
      [late, 200],
    ]) {
      expect((await other.get(`/messages/${id}`)).status).toBe(status);
    }
  });
});
