/** Keyboard shortcuts, as in Zulip. The help lists each with its text. */
import type { TextKey } from '../../shared/texts/texts';
import { toggleSide } from '../../shared/shell/side';
import { tell } from '../../shared/ui/toasts';
import { openReply, openToPeople, openToStream, quoteInto, focusCompose } from '../compose/state';
import { muteTopic, toggleReaction, toggleStar } from '../data/actions';
import { THUMBS_UP } from '../data/emoji';
import { conversationOf, pathOf, type Narrow } from '../data/narrow';
import { chat, isMuted } from '../data/store';
import type { Message } from '../data/wire';
import { editOwn, quote } from '../message/message-commands';
import { listScroller, moveSelection, selectedMessage, selectEnd } from '../list/selection';
import { showDialog, showPerson, useShown } from '../dialogs/dialogs';
import { inOrder } from '../side/stream-groups';
import { unreadConversations } from '../side/unread-total';

export interface Hand {
  readonly narrow: Narrow | undefined;
  readonly go: (path: string) => void;
}

export interface Shortcut {
  readonly keys: readonly string[];
  readonly text: TextKey;
  readonly group: 'general' | 'reading' | 'narrowing' | 'writing' | 'message';
  readonly run: (hand: Hand) => void;
}

const focus = (id: string): void => {
  const field = document.getElementById(id);
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
};

const withMessage = (run: (message: Message, hand: Hand) => void) => (hand: Hand) => {
  const message = selectedMessage();
  if (message) run(message, hand);
};

/** Goes to the first unread conversation that is not on screen. */
function goToUnread(prefix: string, { narrow, go }: Hand): void {
  const here = narrow?.kind === 'topic' ? `s:${narrow.streamId}:${narrow.topic.toLowerCase()}` : '';
  const next = unreadConversations(chat()).find((each) => each.startsWith(prefix) && each !== here);
  if (next === undefined) return;
  if (next.startsWith('p:')) return go(pathOf({ kind: 'private', userIds: next.slice(2).split(',').map(Number) }));
  const [, streamId = ''] = next.split(':');
  go(pathOf({ kind: 'topic', streamId: Number(streamId), topic: chat().unread.topicNames.get(next) ?? '' }));
}

function goToStream(step: number, { narrow, go }: Hand): void {
  const streams = inOrder(chat().subscriptions.values());
  const at = narrow && 'streamId' in narrow ? streams.findIndex((each) => each.stream_id === narrow.streamId) : -1;
  const next = streams[(at + step + streams.length) % streams.length];
  if (next) go(pathOf({ kind: 'stream', streamId: next.stream_id }));
}

function newTopic({ narrow }: Hand): void {
  openToStream(narrow && 'streamId' in narrow ? narrow.streamId : 0);
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['?'], text: 'shortcut.help', group: 'general', run: () => showDialog({ kind: 'shortcuts' }) },
  { keys: ['Ctrl+K'], text: 'shortcut.palette', group: 'general', run: () => showDialog({ kind: 'palette' }) },
  { keys: ['/'], text: 'shortcut.search', group: 'general', run: () => focus('search') },
  {
    keys: ['q', 'w'],
    text: 'shortcut.filter',
    group: 'general',
    run: () => {
      toggleSide(true);
      focus('side-filter');
    },
  },
  {
    keys: ['g'],
    text: 'shortcut.menu',
    group: 'general',
    run: () => document.querySelector<HTMLElement>('[data-own-menu]')?.click(),
  },
  { keys: ['d'], text: 'shortcut.drafts', group: 'general', run: () => showDialog({ kind: 'drafts' }) },
  { keys: ['j', 'ArrowDown'], text: 'shortcut.next', group: 'reading', run: () => moveSelection(1) },
  { keys: ['k', 'ArrowUp'], text: 'shortcut.previous', group: 'reading', run: () => moveSelection(-1) },
  { keys: ['J', 'PageDown', 'Space'], text: 'shortcut.pageDown', group: 'reading', run: () => listScroller()?.page(1) },
  {
    keys: ['K', 'PageUp', 'Shift+Space'],
    text: 'shortcut.pageUp',
    group: 'reading',
    run: () => listScroller()?.page(-1),
  },
  { keys: ['End', 'G'], text: 'shortcut.last', group: 'reading', run: () => selectEnd(true) },
  { keys: ['Home'], text: 'shortcut.first', group: 'reading', run: () => selectEnd(false) },
  { keys: ['n'], text: 'shortcut.nextUnread', group: 'narrowing', run: (hand) => goToUnread('s:', hand) },
  { keys: ['p'], text: 'shortcut.nextPrivate', group: 'narrowing', run: (hand) => goToUnread('p:', hand) },
  {
    keys: ['s'],
    text: 'shortcut.toStream',
    group: 'narrowing',
    run: withMessage((message, { go }) =>
      go(
        message.type === 'stream'
          ? pathOf({ kind: 'stream', streamId: message.stream_id! }, message.id)
          : pathOf(conversationOf(message, chat().ownId), message.id),
      ),
    ),
  },
  {
    keys: ['S'],
    text: 'shortcut.toTopic',
    group: 'narrowing',
    run: withMessage((message, { go }) => go(pathOf(conversationOf(message, chat().ownId), message.id))),
  },
  { keys: ['P'], text: 'shortcut.privates', group: 'narrowing', run: ({ go }) => go('/private') },
  { keys: ['A'], text: 'shortcut.previousStream', group: 'narrowing', run: (hand) => goToStream(-1, hand) },
  { keys: ['D'], text: 'shortcut.nextStream', group: 'narrowing', run: (hand) => goToStream(1, hand) },
  { keys: ['Escape', 'Ctrl+[', 'I'], text: 'shortcut.inbox', group: 'narrowing', run: ({ go }) => go('/') },
  { keys: ['t'], text: 'shortcut.recent', group: 'narrowing', run: ({ go }) => go('/recent') },
  { keys: ['a'], text: 'shortcut.all', group: 'narrowing', run: ({ go }) => go('/all') },
  { keys: ['c'], text: 'shortcut.newTopic', group: 'writing', run: newTopic },
  { keys: ['x', 'C'], text: 'shortcut.newPrivate', group: 'writing', run: () => openToPeople([]) },
  {
    keys: ['r', 'Enter'],
    text: 'shortcut.reply',
    group: 'writing',
    run: () => {
      const message = selectedMessage();
      if (message) openReply(message);
      else focusCompose();
    },
  },
  {
    keys: ['R'],
    text: 'shortcut.replyToSender',
    group: 'writing',
    run: withMessage((message) => openToPeople([message.sender_id])),
  },
  { keys: ['>'], text: 'shortcut.quote', group: 'writing', run: withMessage((message) => tell(quote(message))) },
  {
    keys: ['@'],
    text: 'shortcut.mention',
    group: 'writing',
    run: withMessage((message) => {
      openReply(message);
      quoteInto(`@**${message.sender_full_name}** `);
    }),
  },
  {
    keys: ['e'],
    text: 'shortcut.edit',
    group: 'message',
    run: ({ narrow }) => void editOwn(narrow, selectedMessage()),
  },
  {
    keys: ['Ctrl+S', '*'],
    text: 'shortcut.star',
    group: 'message',
    run: withMessage((message) => tell(toggleStar(message))),
  },
  {
    keys: ['+'],
    text: 'shortcut.thumbsUp',
    group: 'message',
    run: withMessage((message) => tell(toggleReaction(message, THUMBS_UP))),
  },
  {
    keys: [':'],
    text: 'shortcut.react',
    group: 'message',
    run: withMessage((message) => useShown.setState({ reactingTo: message.id })),
  },
  {
    keys: ['u'],
    text: 'shortcut.person',
    group: 'message',
    run: withMessage((message) => showPerson(message.sender_id)),
  },
  {
    keys: ['M'],
    text: 'shortcut.mute',
    group: 'message',
    run: withMessage(({ stream_id, subject }) => {
      if (stream_id !== undefined) tell(muteTopic(stream_id, subject, !isMuted(stream_id, subject)));
    }),
  },
];
