/** What can be done with a stream: the entries of its menus. */
import { navigate } from 'wouter/use-browser-location';
import { t, type TextKey } from '../../shared/texts/texts';
import { copyText } from '../../shared/ui/copy-text';
import type { MenuEntry } from '../../shared/menus/menu-button';
import type { IconName } from '../../shared/ui/icon';
import { tell } from '../../shared/ui/toasts';
import { openToStream } from '../compose/state';
import { setSubscription, subscribe, unarchiveStream, unsubscribe } from '../data/actions';
import { pathOf } from '../data/narrow';
import { chat } from '../data/store';
import { showDialog } from '../dialogs/dialogs';
import { streamLevel, type Level } from '../notices/levels';
import { setStreamLevel } from '../notices/set-levels';
import { markWholeStreamRead } from '../reading/mark-as-read';
import type { Stream, Subscription } from '../data/wire';

export function streamEntries(streamId: number): (MenuEntry | 'line')[] {
  const { streams, subscriptions } = chat();
  const stream = streams.get(streamId);
  const own = subscriptions.get(streamId);
  if (!stream) return [];
  if (stream.is_archived) return [linkEntry(streamId), 'line', settingsEntry(streamId), ...archiveEntries(stream)];
  return [
    { icon: 'check', text: t('stream.markRead'), run: () => tell(markWholeStreamRead(streamId)) },
    { icon: 'edit', text: t('stream.newTopic'), run: () => openToStream(streamId) },
    ...(own ? ownEntries(own) : []),
    linkEntry(streamId),
    'line',
    settingsEntry(streamId),
    {
      icon: own ? 'door' : 'plus',
      text: t(own ? 'stream.unsubscribe' : 'stream.subscribe'),
      run: () => tell(own ? unsubscribe(stream.name) : subscribe([stream.name])),
    },
    ...archiveEntries(stream),
  ];
}

const linkEntry = (streamId: number): MenuEntry => ({
  icon: 'link',
  text: t('stream.copyLink'),
  run: () => tell(copyText(location.origin + pathOf({ kind: 'stream', streamId })), t('message.linkCopied')),
});

const settingsEntry = (streamId: number): MenuEntry => ({
  icon: 'settings',
  text: t('stream.settings'),
  run: () => navigate(`/streams/${streamId}`),
});

/** For administrators. */
function archiveEntries({ stream_id: streamId, is_archived: isArchived }: Stream): MenuEntry[] {
  const { people, ownId } = chat();
  if (people.get(ownId)?.is_admin !== true) return [];
  const unarchive = (): void => tell(unarchiveStream(streamId), t('stream.unarchived'));
  const run = isArchived ? unarchive : () => showDialog({ kind: 'archive-stream', streamId });
  return [{ icon: 'archive', text: t(isArchived ? 'stream.unarchive' : 'stream.archive'), run }];
}

const LEVEL_ENTRIES: readonly (readonly [Level, IconName, TextKey])[] = [
  ['all', 'bell', 'stream.notify'],
  ['mentions', 'mention', 'stream.notifyMentions'],
  ['none', 'mute', 'stream.mute'],
];

function ownEntries(own: Subscription): (MenuEntry | 'line')[] {
  const { stream_id: streamId, pin_to_top: isPinned } = own;
  const current = streamLevel(own);
  return [
    {
      icon: 'pin',
      text: t(isPinned ? 'stream.unpin' : 'stream.pin'),
      run: () => tell(setSubscription(streamId, 'pin_to_top', !isPinned)),
    },
    'line',
    ...LEVEL_ENTRIES.map(([level, icon, text]) => ({
      icon,
      text: t(text),
      isChosen: level === current,
      run: () => tell(setStreamLevel(own, level)),
    })),
    'line',
  ];
}
