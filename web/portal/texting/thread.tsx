/** The messages of one conversation and the composer. Viewing the messages marks them as read. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { messageOf } from '../../shared/http/message-of';
import { t, useLanguage } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { Confirm } from '../../shared/forms/parts';
import { api } from '../http/api';
import { Composer } from './composer';
import { ContactCard } from './contact-card';
import { dropConversation, loadConversation, loadMessages, markRead, useInbox } from './inbox';
import { SharedFile } from './shared-file';
import { contactName, titleOf, type TextMessage } from './wire';
import classes from './texting.module.css';

/** Receipts arrive within minutes, so polling for them stops after this. */
const WATCHED_MS = 300_000;
const LOOK_MS = 3000;
const NONE: readonly TextMessage[] = [];

const isUnderWay = ({ direction, status, created_at }: TextMessage): boolean =>
  direction === 'outbound' &&
  ['queued', 'sending', 'sent'].includes(status) &&
  Date.now() - Date.parse(created_at) < WATCHED_MS;

export function Thread({ id }: { id: string }) {
  const [, go] = useLocation();
  const conversation = useInbox((state) => state.conversations.get(id));
  const messages = useInbox((state) => state.messages.get(id) ?? NONE);
  const [isDeleting, setDeleting] = useState(false);
  const [isCardOpen, setCardOpen] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    Promise.all([loadConversation(id), loadMessages(id)]).catch((error: unknown) => toast(messageOf(error), true));
  }, [id]);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
    const read = (): void => {
      if (!document.hidden) markRead(id).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, messages]);
  const isWatched = messages.some(isUnderWay);
  useEffect(() => {
    if (!isWatched) return undefined;
    const timer = setInterval(() => document.hidden || void loadMessages(id).catch(() => undefined), LOOK_MS);
    return () => clearInterval(timer);
  }, [id, isWatched]);
  if (!conversation) return <div aria-busy="true" />;
  const [contact] = conversation.contactsinfo;
  return (
    <section className={classes.thread} aria-label={titleOf(conversation)}>
      <div className={classes.threadHead}>
        <h2>{titleOf(conversation)}</h2>
        <small>{t('portal.from', { number: conversation.from_number })}</small>
        {contact && (
          <Button size="compact-sm" variant="default" onClick={() => setCardOpen(true)}>
            {t('portal.contactCard')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => setDeleting(true)}>
          {t('portal.delete')}
        </Button>
        <Button size="compact-sm" variant="subtle" className={classes.phoneOnly} onClick={() => go('/texting')}>
          {t('portal.back')}
        </Button>
      </div>
      <div className={classes.messages} role="log" tabIndex={0} aria-label={t('portal.messages')}>
        {messages.map((message) => (
          <Message key={message.stamp_id ?? message.id} message={message} />
        ))}
        <div ref={end} />
      </div>
      <Composer conversationId={id} />
      {isCardOpen && contact && (
        <ContactCard contact={contact} conversationId={id} onClose={() => setCardOpen(false)} />
      )}
      {isDeleting && (
        <Confirm
          title={t('portal.deleteConversation')}
          action={t('portal.delete')}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.remove(`/texting/conversations/${id}`);
            dropConversation(id);
            go('/texting');
          }}
        >
          <p>{t('portal.deleteConversationHint')}</p>
        </Confirm>
      )}
    </section>
  );
}

function Message({ message }: { message: TextMessage }) {
  const { direction, text, files, contact, status, error, created_at } = message;
  const time = new Date(created_at).toLocaleString(useLanguage.getState().locale, {
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (
    <article className={classes.message} data-direction={direction}>
      {text !== '' && <p>{text}</p>}
      {files.map((file) => (
        <SharedFile key={file.id} file={file} />
      ))}
      <small data-failed={status === 'failed' || undefined}>
        {direction === 'inbound' && contact ? `${contactName(contact)} · ` : ''}
        {time}
        {direction === 'outbound' ? ` · ${t(`portal.text.${status}`)}` : ''}
        {error ? `: ${error.detail}` : ''}
      </small>
    </article>
  );
}
