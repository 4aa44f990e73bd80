import { PollQueries } from '../../../src/chat/http/poll-query';

const QUEUE = '1700000000:abcdef012345';

test.each([
  [`queue_id=1700000000%3Aabcdef012345&last_event_id=-1`, { queueId: QUEUE, lastEventId: -1, dontBlock: false }],
  [`queue_id=${QUEUE}&last_event_id=12&dont_block=true`, { queueId: QUEUE, lastEventId: 12, dontBlock: true }],
  [`last_event_id=3&dont_block=false&queue_id=${QUEUE}`, { queueId: QUEUE, lastEventId: 3, dontBlock: false }],
  [`last_event_id=3&queue_id=1700000000%3aabcdef012345`, { queueId: QUEUE, lastEventId: 3, dontBlock: false }],
])('%s is an ordinary poll', (query, poll) => expect(new PollQueries().read(query)).toEqual(poll));

test.each([
  '',
  `queue_id=${QUEUE}`,
  'last_event_id=1',
  `queue_id=${QUEUE}&last_event_id=x`,
  `queue_id=${QUEUE}&last_event_id=1e3`,
  `queue_id=${QUEUE}&last_event_id=1&dont_block=1`,
  `queue_id=${QUEUE}&last_event_id=1&event_types=[]`,
  'queue_id=%22quoted%22&last_event_id=1',
  `queue_id=&last_event_id=1`,
])('%s is left to the ordinary way', (query) => expect(new PollQueries().read(query)).toBeUndefined());

test('a poll that begins as the last one on its connection is read the same', () => {
  const queries = new PollQueries();
  const start = `queue_id=${QUEUE}&last_event_id=`;
  const poll = { queueId: QUEUE, lastEventId: 7, dontBlock: false };
  for (let time = 0; time < 2; time += 1) {
    expect(queries.read(`${start}7`)).toEqual(poll);
    expect(queries.read(`${start}-1`)).toEqual({ ...poll, lastEventId: -1 });
    expect(queries.read(`${start}8&dont_block=true`)).toEqual({ ...poll, lastEventId: 8, dontBlock: true });
    expect(queries.read(`${start}8&event_types=[]`)).toBeUndefined();
    for (const id of ['1e3', '-', '', ' 1', '1 ', '9'.repeat(16)]) expect(queries.read(start + id)).toBeUndefined();
    expect(queries.read(start + '9'.repeat(15))).toEqual({ ...poll, lastEventId: 999_999_999_999_999 });
    expect(queries.read(`queue_id=1:a&last_event_id=7`)).toEqual({ ...poll, queueId: '1:a' });
  }
});
