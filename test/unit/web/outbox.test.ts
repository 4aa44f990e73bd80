import type * as Outbox from '../../../web/chat/data/outbox';

const stored = new Map<string, string>();
Object.assign(globalThis, {
  localStorage: {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  },
});

/** A browser tab: it has its own modules, and shares the storage. */
function openTab(): typeof Outbox {
  const tab = loadFresh<typeof Outbox>(require.resolve('../../../web/chat/data/outbox'));
  tab.openOutbox();
  return tab;
}

const message = (key: string) => ({ key, type: 'stream', to: [1], topic: 'train', content: key }) as const;
const keysOf = (tab: typeof Outbox) => tab.useOutbox.getState().entries.map(({ key }) => key);

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  stored.clear();
});

test('Unsent messages of two tabs are all in the outbox of a tab that is opened later', () => {
  const [one, two] = [openTab(), openTab()];
  one.sendMessage(message('first'));
  two.sendMessage(message('second'));
  one.sendMessage(message('third'));
  expect(keysOf(openTab())).toEqual(['second', 'first', 'third']);
});

test('Messages that one tab discards or sends stay gone for later tabs, even after other tabs wrote', () => {
  const [one, two] = [openTab(), openTab()];
  one.sendMessage(message('first'));
  two.sendMessage(message('second'));
  one.discardOutgoing('first');
  two.sendMessage(message('third'));
  two.settleOutbox(7, 'second');
  one.sendMessage(message('fourth'));
  expect(keysOf(openTab()).toSorted()).toEqual(['fourth', 'third']);
});

/** Answers requests one by one; returns the contents in the order in which they were sent. */
function openServer(answers: (content: string) => Promise<Response>) {
  const sent: string[] = [];
  jest.mocked(fetch).mockImplementation((_, init) => {
    const content = new URLSearchParams(init?.body as string).get('content')!;
    sent.push(content);
    return answers(content);
  });
  return sent;
}
const accepted = () => Promise.resolve(Response.json({ result: 'success', id: 1 }));

test('Messages of one conversation are sent one after the other, those of others meanwhile', async () => {
  let release: (answer: Response) => void = () => undefined;
  const held = new Promise<Response>((resolve) => (release = resolve));
  const sent = openServer((content) => (content === 'first' ? held : accepted()));
  const tab = openTab();
  tab.sendMessage(message('first'));
  tab.sendMessage(message('second'));
  tab.sendMessage({ ...message('elsewhere'), topic: 'bus' });
  await jest.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual(['first', 'elsewhere']);
  release(await accepted());
  await jest.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual(['first', 'elsewhere', 'second']);
});

test('A message written after an outage is sent behind those that wait', async () => {
  let isOffline = true;
  const sent = openServer(() => (isOffline ? Promise.reject(new TypeError('offline')) : accepted()));
  const tab = openTab();
  tab.sendMessage(message('first'));
  await jest.advanceTimersByTimeAsync(10);
  isOffline = false;
  tab.sendMessage(message('second'));
  await jest.advanceTimersByTimeAsync(10);
  expect(sent).toEqual(['first', 'first', 'second']);
});

test('A refused message holds up none behind it', async () => {
  const refusal = () => Promise.resolve(Response.json({ result: 'error', msg: 'no' }, { status: 400 }));
  const sent = openServer((content) => (content === 'first' ? refusal() : accepted()));
  const tab = openTab();
  tab.sendMessage(message('first'));
  tab.sendMessage(message('second'));
  await jest.advanceTimersByTimeAsync(10);
  expect(sent).toEqual(['first', 'second']);
  expect(tab.useOutbox.getState().entries.map(({ state }) => state)).toEqual(['refused', 'sending']);
});

test('Messages that the server leaves without an answer are late after some seconds, until it answers', async () => {
  let release: (answer: Response) => void = () => undefined;
  const held = new Promise<Response>((resolve) => (release = resolve));
  openServer((content) => (content === 'first' ? held : accepted()));
  const tab = openTab();
  const late = () => tab.useOutbox.getState().entries.map(tab.isLate);
  tab.sendMessage(message('first'));
  tab.sendMessage(message('second'));
  tab.sendMessage({ ...message('elsewhere'), topic: 'bus' });
  await jest.advanceTimersByTimeAsync(4000);
  expect(late()).toEqual([false, false, false]);
  await jest.advanceTimersByTimeAsync(2000);
  expect(late()).toEqual([true, true, false]);
  release(await accepted());
  await jest.advanceTimersByTimeAsync(10);
  expect(late()).toEqual([false, false, false]);
});
