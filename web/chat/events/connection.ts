/** What follows from a lost connection and from one that is back. */
import { catchUp } from '../reading/catch-up';
import { changeLists, useLists } from '../data/lists';
import { loadList } from '../data/load';
import { flushOutbox } from '../data/outbox';
import { chat, useChat } from '../data/store';
import { forgetTopics } from '../data/topics';

export const sayOffline = (retryAt: number): void => useChat.setState({ connection: 'offline', retryAt });

/** Also sends what waits, and reloads the visible view if it failed to load while offline. */
export function returnOnline(): void {
  if (chat().connection !== 'online') {
    useChat.setState({ connection: 'online' });
    const { byKey, current } = useLists.getState();
    const shown = byKey.get(current);
    if (shown && shown.error !== '') void loadList(shown.narrow);
  }
  flushOutbox();
}

/** After a new queue, loaded data may be stale. The visible list is completed; all others are dropped. */
export async function refreshViews(): Promise<void> {
  forgetTopics();
  const { current } = useLists.getState();
  const shown = useLists.getState().byKey.get(current);
  changeLists((list) => (list === shown ? list : undefined));
  if (shown) await catchUp(shown.narrow);
}
