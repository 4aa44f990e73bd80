import { markRead } from '../../../web/chat/reading/read-soon';
import { useChat } from '../../../web/chat/data/store';
import { addUnread, emptyUnread } from '../../../web/chat/data/unread';

let sent: number[][] = [];

function serve(answer: () => Promise<Response>): void {
  jest.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
    sent.push(JSON.parse(new URLSearchParams(init?.body as string).get('messages')!) as number[]);
    return answer();
  });
}
const unread = (...ids: number[]): void =>
  useChat.setState({
    unread: addUnread(
      emptyUnread(),
      ids.map((id) => ({ id, conversation: 's:1:train', isMention: false })),
    ),
  });

beforeEach(() => {
  sent = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('Read marks that the server refuses for good are not sent again', async () => {
  serve(() => Promise.resolve(Response.json({ result: 'error', msg: 'Invalid message(s)' }, { status: 400 })));
  unread(1, 2);
  markRead([1, 2]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([[1, 2]]);
});

test('Read marks that could not be sent are sent again', async () => {
  let isOffline = true;
  serve(() => (isOffline ? Promise.reject(new TypeError('offline')) : Promise.resolve(Response.json({}))));
  unread(3);
  markRead([3]);
  await jest.advanceTimersByTimeAsync(1000);
  isOffline = false;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([[3], [3]]);
});
