/**
 * What the first visible message belongs to, at the top of the list: its conversation, and the sender of a message whose
 * beginning is out of sight. The list is virtual, so the bar of a conversation may not exist any more when it is needed.
 */
import {
  memo,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type Ref,
  type RefObject,
} from 'react';
import { t } from '../../shared/texts/texts';
import { timeOf } from '../../shared/texts/dates';
import { Avatar } from '../../shared/ui/avatar';
import { messageById, useMessage } from '../data/messages';
import { useChat } from '../data/store';
import { senderName } from '../message/message-parts';
import { RecipientBar } from '../message/recipient-bar';
import { hasBars, placeOf } from '../message/row-view';
import type { Narrow } from '../data/narrow';
import { firstSeen, NOTHING, type Seen } from './first-seen';
import classes from './sticky-bar.module.css';

export interface StickyBarHandle {
  /** Looks again which message is the first: after scrolling and when rows change. */
  look(): void;
}

interface StickyBarProps {
  readonly ref: Ref<StickyBarHandle>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly narrow: Narrow;
  readonly onBeginning: (id: number) => void;
}

export const StickyBar = memo(function StickyBar({ ref, scroller, narrow, onBeginning }: StickyBarProps) {
  const [seen, setSeen] = useState<Seen>(NOTHING);
  const before = useRef(seen);
  const box = useRef<HTMLDivElement>(null);
  const pushed = useRef(0);
  const push = useCallback((): void => {
    if (box.current) box.current.style.transform = pushed.current === 0 ? '' : `translateY(${pushed.current}px)`;
  }, []);
  // A bar that was not there when its place was computed.
  useLayoutEffect(push, [push, seen]);
  const isOfMany = hasBars(narrow);
  useImperativeHandle(
    ref,
    () => ({
      look: () => {
        if (!scroller.current) return;
        const { offset, ...now } = firstSeen(scroller.current, isOfMany);
        pushed.current = offset;
        push();
        if (isSameBar(now.barOf, before.current.barOf) && now.longId === before.current.longId) return;
        before.current = now;
        setSeen(now);
      },
    }),
    [scroller, isOfMany, push],
  );
  return (
    <div className={classes.sticky}>
      {(seen.barOf !== undefined || seen.longId !== undefined) && (
        <div ref={box} className={classes.bars} data-sticky-bar>
          {seen.barOf !== undefined && <ConversationOf id={seen.barOf} />}
          {seen.longId !== undefined && <Author id={seen.longId} onBeginning={onBeginning} />}
        </div>
      )}
    </div>
  );
});

function isSameBar(now: number | undefined, before: number | undefined): boolean {
  if (now === undefined || before === undefined || now === before) return now === before;
  const [one, other] = [messageById(now), messageById(before)];
  return one !== undefined && other !== undefined && placeOf(one) === placeOf(other);
}

function ConversationOf({ id }: { id: number }) {
  const message = useMessage(id);
  return message ? <RecipientBar message={message} /> : null;
}

/** Leads to the beginning of the message. */
function Author({ id, onBeginning }: { id: number; onBeginning: (id: number) => void }) {
  const message = useMessage(id);
  const sender = useChat((state) => state.people.get(message?.sender_id ?? 0));
  if (!message) return null;
  const name = senderName(message, sender);
  return (
    <button type="button" className={classes.author} title={t('list.toBeginning')} onClick={() => onBeginning(id)}>
      <Avatar name={name} id={message.sender_id} url={sender?.avatar_url ?? message.avatar_url} size={20} />
      <b>{name}</b>
      <time>{timeOf(message.timestamp)}</time>
    </button>
  );
}
