import { markRead } from '../../../web/chat/reading/read-soon';
import { useChat } from '../../../web/chat/data/store';
import { addUnread, emptyUnread } from '../../../web/chat/data/unread';

let sent: number[][] = [];

/** Other test files of the worker may have left requests that still wait: these are not ours to count. */
function serve(answer: () => Promise<Response>): void {
  const others = globalThis.fetch;
  jest.spyOn(globalThis, 'fetch').mockImplementation((address, init) => {
    if (address !== '/api/v1/messages/flags') return others(address, init);
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
