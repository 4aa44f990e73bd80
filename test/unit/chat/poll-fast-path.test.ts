import { readPoll } from '../../../src/chat/http/events/poll-fast-path';

const QUEUE = '1700000000:abcdef012345';

test.each([
  [`queue_id=1700000000%3Aabcdef012345&last_event_id=-1`, { queueId: QUEUE, lastEventId: -1, dontBlock: false }],
  [`queue_id=${QUEUE}&last_event_id=12&dont_block=true`, { queueId: QUEUE, lastEventId: 12, dontBlock: true }],
  [`queue_id=1700000000%3aabcdef012345&last_event_id=3`, { queueId: QUEUE, lastEventId: 3, dontBlock: false }],
])('The poll fast path reads the query %s', (query, poll) => expect(readPoll(query)).toEqual(poll));

test.each([
  '',
  `queue_id=${QUEUE}`,
  'last_event_id=1',
  `last_event_id=3&queue_id=${QUEUE}`,
  `queue_id=${QUEUE}&last_event_id=x`,
  `queue_id=${QUEUE}&last_event_id=1e3`,
  `queue_id=${QUEUE}&last_event_id=1&dont_block=1`,
  `queue_id=${QUEUE}&last_event_id=1&event_types=[]`,
  'queue_id=%22quoted%22&last_event_id=1',
  `queue_id=&last_event_id=1`,
])('The poll fast path leaves the query "%s" to the application', (query) => expect(readPoll(query)).toBeUndefined());

test('The id of the last event may have up to 15 digits and a minus sign', () => {
  const start = `queue_id=${QUEUE}&last_event_id=`;
  for (const id of ['1e3', '-', '', ' 1', '1 ', '9'.repeat(16)]) expect(readPoll(start + id)).toBeUndefined();
  for (const id of ['-1', '7', '9'.repeat(15)]) expect(readPoll(start + id)?.lastEventId).toBe(Number(id));
});
