/** Where the user may move messages to: where they may write, also without being subscribed. The server decides. */
import { mayWriteTo } from '../compose/may-write';
import type { ChatState } from '../data/store';
import type { Stream } from '../data/wire';

type Known = Pick<ChatState, 'streams' | 'subscriptions' | 'people' | 'ownId' | 'settings'>;

const byName = new Intl.Collator();

/** The stream where they are, the user's own streams, then public ones; administrators know private ones that they cannot enter. */
export function moveTargets(state: Known, hereId: number): readonly Stream[] {
  const { streams, subscriptions } = state;
  const rank = ({ stream_id: id }: Stream): number => (id === hereId ? 0 : subscriptions.has(id) ? 1 : 2);
  const isOpen = ({ stream_id: id, invite_only: isPrivate }: Stream): boolean =>
    id === hereId || ((subscriptions.has(id) || !isPrivate) && mayWriteTo(state, id));
  return [...streams.values()].filter(isOpen).sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name));
}
