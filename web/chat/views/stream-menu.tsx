/** What can be done with the view on the screen. */
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { MenuButton, type MenuEntry } from '../../shared/menus/menu-button';
import { tell } from '../../shared/ui/toasts';
import type { Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import { conversationKey } from '../data/unread';
import { showDialog } from '../dialogs/dialogs';
import { markConversationRead, markEverythingRead } from '../reading/mark-as-read';
import { streamEntries } from '../streams/stream-entries';
import { topicEntries } from '../topics/topic-entries';

const dateEntry = (): MenuEntry => ({
  icon: 'history',
  text: t('dateJump.title'),
  run: () => showDialog({ kind: 'date' }),
});

export function ViewMenu({ narrow }: { narrow: Narrow }) {
  const key = conversationKey(narrow);
  const markRead = key === undefined ? markEverythingRead : () => markConversationRead(key);
  const text = t(key === undefined ? 'action.markAllRead' : 'topic.markRead');
  const isMarkable = key !== undefined || narrow.kind === 'all';
  return (
    <MenuButton
      position="bottom-end"
      width={270}
      button={<IconButton icon="more" label={t('view.menu')} />}
      entries={[...(isMarkable ? [{ icon: 'check' as const, text, run: () => tell(markRead()) }] : []), dateEntry()]}
    />
  );
}

export function StreamMenu({ narrow }: { narrow: Extract<Narrow, { streamId: number }> }) {
  const { streamId } = narrow;
  const isKnown = useChat((state) => state.streams.has(streamId));
  if (!isKnown) return null;
  return (
    <MenuButton
      position="bottom-end"
      width={270}
      button={<IconButton icon="more" label={t('view.menu')} />}
      entries={() => [
        ...(narrow.kind === 'topic' ? [...topicEntries(streamId, narrow.topic), 'line' as const] : []),
        ...streamEntries(streamId),
        dateEntry(),
      ]}
    />
  );
}
