import { STREAM_CHANGES } from '../../../../web/chat/streams/apply-streams';
import { useChat } from '../../../../web/chat/data/store';
import type { ServerEvent, Stream, Subscription } from '../../../../web/chat/data/wire';

const stream = { stream_id: 5, name: 'old', is_archived: false } as Stream;
const subscription = { ...stream, color: '#76ce90', is_muted: true } as Subscription;

beforeEach(() =>
  useChat.setState({
    streams: new Map([[5, stream]]),
    subscriptions: new Map([[5, subscription]]),
    archived: new Map(),
  }),
);

const apply = (event: object): void =>
  useChat.setState((state) => STREAM_CHANGES['stream']!(state, { type: 'stream', ...event } as unknown as ServerEvent));
const setArchived = (value: boolean): void =>
  apply({ op: 'update', stream_id: 5, name: 'old', property: 'is_archived', value });

test('An archived stream leaves the subscriptions, is still known, and returns with its settings', () => {
  setArchived(true);
  expect(useChat.getState().subscriptions.size).toBe(0);
  expect(useChat.getState().streams.get(5)).toMatchObject({ is_archived: true });
  apply({ op: 'update', stream_id: 5, name: 'old', property: 'name', value: 'older' });
  setArchived(false);
  const { archived, subscriptions } = useChat.getState();
  expect(archived.size).toBe(0);
  expect(subscriptions.get(5)).toEqual({ ...subscription, name: 'older', is_archived: false });
});

test('Nothing is left of a stream that is deleted while it is archived', () => {
  setArchived(true);
  apply({ op: 'delete', streams: [stream] });
  const { archived, streams, subscriptions } = useChat.getState();
  expect([archived.size, streams.size, subscriptions.size]).toEqual([0, 0, 0]);
});
