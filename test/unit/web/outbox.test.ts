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
