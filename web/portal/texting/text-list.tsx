/** The messages of a conversation. It starts at the first unread one, follows the end, and loads older ones on the way up. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, Loader } from '@mantine/core';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { toast } from '../../shared/ui/toasts';
import { TextRow } from './text-row';
import { loadOlder, useTexts } from './texts';
import { isOnItsWay, type TextMessage } from './wire';
import classes from './thread.module.css';

/** Within this distance from an end, the reader counts as being there. */
const NEAR_TOP = 300;
const AT_END = 60;
const NONE: readonly TextMessage[] = [];

interface Shown {
  readonly first: TextMessage | undefined;
  readonly last: TextMessage | undefined;
  readonly height: number;
}

/** One's own message is always in view. */
const isJustSent = (was: Shown, { last }: Shown): boolean =>
  last !== undefined && last.id !== was.last?.id && isOnItsWay(last);

interface TextListProps {
  readonly conversationId: string;
  /** The first message that was unread when the conversation was opened. */
  readonly firstUnread: string | undefined;
  /** The message that a search has found; empty if none is to be shown. */
  readonly found: string;
}

export function TextList({ conversationId, firstUnread, found }: TextListProps) {
  const opened = useTexts((state) => state.opened.get(conversationId));
  const messages = opened?.messages ?? NONE;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isAway, setAway] = useState(false);
  const before = useRef<Shown>({ first: undefined, last: undefined, height: 0 });

  const toEnd = (): void => {
    isFollowing.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  useLayoutEffect(() => {
    const box = scroller.current!;
    const [was, now] = [before.current, { first: messages[0], last: messages.at(-1), height: box.scrollHeight }];
    before.current = now;
    // Older messages came above those that are being read.
    if (was.first && was.first.id !== now.first?.id && was.last?.id === now.last?.id) {
      box.scrollTop += now.height - was.height;
    } else if (isFollowing.current || isJustSent(was, now)) toEnd();
  }, [messages]);
  useLayoutEffect(() => {
    const isAsked = firstUnread !== undefined || found !== '';
    const mark = isAsked ? content.current!.querySelector(found === '' ? '[data-unread]' : '[data-found]') : null;
    if (!mark) return;
    isFollowing.current = false;
    mark.scrollIntoView({ block: found === '' ? 'start' : 'center' });
  }, [firstUnread, found]);
  // Pictures grow when they are there, and the field below grows with what is written.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      before.current = { ...before.current, height: scroller.current!.scrollHeight };
      if (isFollowing.current) toEnd();
    });
    observer.observe(scroller.current!);
    observer.observe(content.current!);
    return () => observer.disconnect();
  }, []);

  const look = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
    isFollowing.current = scrollHeight - scrollTop - clientHeight <= AT_END;
    setAway(!isFollowing.current);
    if (scrollTop < NEAR_TOP) loadOlder(conversationId).catch((error: unknown) => toast(messageOf(error), true));
  };
  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        className={classes.scroller}
        role="log"
        tabIndex={0}
        aria-label={t('portal.messages')}
        onScroll={look}
      >
        <div ref={content} className={classes.content}>
          {opened?.hasOlder === true && (
            <Loader size="xs" className={classes.older} role="progressbar" aria-label={t('loading')} />
          )}
          {messages.map((message, at) => (
            <TextRow
              key={message.stamp_id ?? message.id}
              message={message}
              previous={messages[at - 1]}
              isFirstUnread={message.id === firstUnread}
              isFound={message.id === found}
            />
          ))}
        </div>
      </div>
      {isAway && (
        <Button className={classes.toEnd} size="xs" variant="default" onClick={toEnd}>
          <Icon name="down" size={16} /> {t('list.toNewest')}
        </Button>
      )}
    </div>
  );
}
