/** What a move may not do: reveal hidden streams, take along what may not be moved, or cross with another change. */
import { until } from '../../../support/until';
import { ids, move, openMoving, quietly, type Moving } from './moving-support';

let { cluster, mysql, owner, member, other, idOf, send, open, read } = {} as Moving;
beforeAll(async () => {
  ({ cluster, mysql, owner, member, other, idOf, send, open, read } = await openMoving());
  for (const name of ['harbour', 'quay']) await open(name, [owner, member, other]);
});
afterAll(() => cluster.close());

const error = (msg: string) => ({ status: 400, body: { result: 'error', msg } });
const success = { status: 200, body: { result: 'success' } };

test('Those who follow or muted a topic do not learn which hidden stream it went to', async () => {
  const [from, board] = [await idOf('harbour'), await open('board', [owner, other], { invite_only: true })];
  const id = await send('harbour', 'plans');
  const set = (by: Moving['member'], visibility_policy: number) =>
    by.post('/user_topics', { stream_id: from, topic: 'plans', visibility_policy });
  await set(member, 1);
  await set(other, 1);
  const listen = await Promise.all([member, other].map((by) => by.listen(['muted_topics', 'user_topic'])));
  const form = { stream_id: board, topic: 'closures', propagate_mode: 'change_all', ...quietly };
  expect(await move(owner, id, form)).toMatchObject(success);
  const [ofMember, ofOther] = await Promise.all(listen.map((events) => events()));
  const gone = { type: 'user_topic', stream_id: from, topic_name: 'plans', visibility_policy: 0 };
  expect(ofMember).toMatchObject([gone, { type: 'muted_topics', muted_topics: [] }]);
  expect(ofOther).toMatchObject([
    gone,
    { type: 'user_topic', stream_id: board, topic_name: 'closures', visibility_policy: 1 },
    { type: 'muted_topics', muted_topics: [['board', 'closures']] },
  ]);
  const { body } = await member.post('/register', { fetch_event_types: ['muted_topics', 'user_topic'] });
  expect(body).toMatchObject({ muted_topics: [], user_topics: [] });
});

test('Every message that moves must be one that may be moved', async () => {
  const to = await idOf('quay');
  const all = { stream_id: to, propagate_mode: 'change_all', ...quietly };
  const sent = [await send('harbour', 'log', other), await send('harbour', 'log')];
  await mysql('chat_messages')
    .where({ id: sent[0] })
    .decrement('sent_at', 8 * 86_400);
  expect(await move(member, sent[1]!, all)).toMatchObject(
    error("The time limit for editing this message's stream has passed"),
  );
  await mysql('chat_messages')
    .where({ id: sent[0] })
    .increment('sent_at', 8 * 86_400);
  await owner.patch('/realm', { allow_community_topic_editing: false });
  try {
    expect(await move(member, sent[1]!, all)).toMatchObject(error("You don't have permission to move this message"));
    expect(await move(owner, sent[1]!, all)).toMatchObject(success);
  } finally {
    await owner.patch('/realm', { allow_community_topic_editing: true });
  }
  expect(ids(await read(other, 'quay', 'log'))).toEqual(sent);
});

test('The history of a message does not grow for ever by moves', async () => {
  const id = await send('harbour', 'often');
  const edit = { user_id: member.id, timestamp: 1, prev_content: 'x'.repeat(999_800), prev_rendered_content: '' };
  await mysql('chat_messages')
    .where({ id })
    .update({ edits: JSON.stringify([edit]) });
  const places = [await idOf('quay'), await idOf('harbour')];
  const answers = [];
  for (let turn = 0; turn < 4; turn += 1) {
    answers.push((await move(member, id, { stream_id: places[turn % 2], ...quietly })).body.msg);
  }
  expect(answers).toContain('This message has been edited too often (limit: 1000000 bytes of history)');
  const [{ bytes }] = await mysql('chat_messages')
    .where({ id })
    .select({ bytes: mysql.raw('LENGTH(edits)') });
  expect(bytes).toBeLessThanOrEqual(1_000_000);
});

/** How many transactions of this database wait for rows. */
async function waiting(): Promise<number> {
  const [[{ count }]] = await mysql.raw(
    'SELECT COUNT(*) AS count FROM information_schema.INNODB_TRX t JOIN information_schema.PROCESSLIST p ' +
      "ON p.ID = t.trx_mysql_thread_id WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()",
  );
  return Number(count);
}

test('A change of topic that comes while the message moves away leaves it in the stream that it went to', async () => {
  const to = await idOf('quay');
  const id = await send('harbour', 'race');
  const holding = await mysql.transaction();
  await holding('chat_messages').where({ id }).forUpdate().first('id');
  const moving = move(owner, id, { stream_id: to, topic: 'away', ...quietly });
  await until(waiting, (count) => count === 1);
  const renaming = move(member, id, { topic: 'renamed' });
  await until(waiting, (count) => count === 2);
  await holding.commit();
  expect(await moving).toMatchObject(success);
  expect(await renaming).toMatchObject(error('Invalid message(s)'));
  const { recipient_id, topic_id } = await mysql('chat_messages').where({ id }).first('recipient_id', 'topic_id');
  expect(recipient_id).toBe(to);
  expect(await mysql('chat_topics').where({ id: topic_id }).first()).toMatchObject({ recipient_id: to, name: 'away' });
});
