/**
 * Paints the messages of the first view before React is there, which takes as long again as everything until then. React
 * then draws the same messages at the same places, and the rest of the page around them. Nobody can click or focus what
 * is painted, and screen readers are not told of it: it is there to be read for a moment.
 */
import type { ReactElement } from 'react';
import { t } from '../../shared/texts/texts';
import { firstColorScheme } from '../../shared/ui/appearance';
import { rowMenuButton } from '../../shared/menus/row-menu';
import { draftFor, isBlank } from '../drafts/drafts';
import { targetOf } from '../compose/target';
import { listOf, type MessageList } from '../data/lists';
import { messageById } from '../data/messages';
import type { Place } from '../data/narrow';
import { hasOutgoing } from '../data/outbox';
import { chat } from '../data/store';
import { screenOf, startOf } from '../list/first-screen';
import { isHidden } from '../message/hidden';
import { senderName, words } from '../message/message-parts';
import { recipientBar } from '../message/recipient-bar';
import { articleInside, articleTraits, rowParts, standingOf } from '../message/row-view';
import { widgetOf } from '../widgets/widget-data';
import { inboxBody } from '../inbox/inbox-body';
import { inboxGroups } from '../inbox/inbox-groups';
import { menuName } from '../inbox/inbox-menu';
import { useFolded } from '../side/folded';
import { frameAround, frameOfInbox } from './frame';
import { plainNodes } from './plain-nodes';
import classes from './paint-view.module.css';

function row(list: MessageList, id: number): ReactElement {
  const { ids, narrow } = list;
  const message = messageById(id)!;
  if (widgetOf(message)) throw new TypeError('React must draw this');
  const before = messageById(ids[ids.indexOf(id) - 1] ?? -1);
  const standing = standingOf(message, before, narrow, id === list.firstUnread);
  const { ownId, people, statuses, streams, subscriptions } = chat();
  const streamId = message.stream_id ?? 0;
  const [stream, color] = [streams.get(streamId), subscriptions.get(streamId)?.color];
  const sender = people.get(message.sender_id);
  const { isContinued } = standing;
  const status = statuses.get(message.sender_id);
  const parts = {
    message,
    sender,
    status,
    isContinued,
    isHidden: isHidden(message),
    isSelected: false,
    isPointedAt: false,
  };
  const content = words(message, senderName(message, sender), false);
  const bar = standing.hasBar && recipientBar({ message, ownId, people, stream, color });
  const article = <article {...articleTraits(parts)}>{articleInside({ ...parts, content })}</article>;
  return <div className={classes.item}>{rowParts(message, standing, bar, article)}</div>;
}

/**
 * What a person has written and not sent makes the page taller in places, a message in the middle of the screen is not quite
 * there before the list has measured its rows, and a search has marks: React draws these.
 */
function isPlain({ narrow, near }: Place, list: MessageList): boolean {
  const target = targetOf(narrow);
  const hasDraft = target !== undefined && !isBlank(draftFor(target));
  return (
    near === undefined &&
    narrow.kind !== 'search' &&
    narrow.kind !== 'recent' &&
    list.ids.length > 0 &&
    !hasDraft &&
    !hasOutgoing()
  );
}

/** Whether there is something to read now. */
export function paintView(place: Place): boolean {
  const list = listOf(place.narrow);
  if (!list || !isPlain(place, list)) return false;
  try {
    paint(list);
    return true;
  } catch {
    return false;
  }
}

/** The Inbox needs no messages, only what is unread. */
export function paintInbox(): boolean {
  const groups = inboxGroups(chat());
  if (groups.length === 0) return false;
  const isFolded = (key: string): boolean => useFolded.getState().changed[`inbox:${key}`] ?? false;
  const none = (): undefined => undefined;
  const body = inboxBody({
    groups,
    isFolded,
    isWhole: () => false,
    onFold: none,
    onWhole: none,
    onReadGroup: none,
    onReadRow: none,
    menuOf: (group, row) => rowMenuButton(menuName(group, row)),
  });
  show(plainNodes(frameOfInbox(body)));
  return true;
}

function show(nodes: readonly Node[]): void {
  document.documentElement.dataset['mantineColorScheme'] = firstColorScheme();
  document.getElementById('root')!.replaceChildren(...nodes);
}

function paint(list: MessageList): void {
  const start = startOf(list, undefined);
  const { first, last } = screenOf(list.ids, start);
  const from = list.ids.indexOf(first ?? -1);
  const shown = list.ids.slice(from, last === undefined ? undefined : list.ids.indexOf(last) + 1);
  const rows = shown.map((id) => row(list, id));
  const nodes = plainNodes(frameAround(list.narrow, list.hasOldest ? t('list.beginning') : '', rows));
  show(nodes);
  const scroller = document.querySelector('[data-painted]')!;
  const unread = start && scroller.querySelector(`[data-message-id="${list.ids[start.index]}"]`)?.parentElement;
  const place = (): void => {
    if (!unread) return void (scroller.scrollTop = scroller.scrollHeight);
    const above = unread.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += above + (start.offset ?? 0);
  };
  place();
  // Pictures among the words may change the height of their lines.
  scroller.addEventListener('load', place, { capture: true });
}
