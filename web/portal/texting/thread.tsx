/** The messages of one conversation and the composer. Viewing the messages marks them as read. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { toast } from '../../shared/ui/toasts';
import { Confirm } from '../../shared/forms/parts';
import { CallButton } from '../calls/call-button';
import { api } from '../http/api';
import { Composer } from './composer';
import { ContactCard } from './contact-card';
import { useInbox } from './inbox';
import { Notes } from './notes';
import { OptOutNote, useOptOuts } from './opt-outs';
import { TextList } from './text-list';
import { dropConversation, lookAgain, markRead, openTexts, reachText, useTexts } from './texts';
import { isUnread, titleOf, type TextMessage } from './wire';
import classes from './thread.module.css';

/** Receipts arrive within minutes, so polling for them stops after this. */
const WATCHED_MS = 300_000;
const LOOK_MS = 3000;
const NONE: readonly TextMessage[] = [];

const isPending = ({ direction, status, created_at }: TextMessage): boolean =>
  direction === 'outbound' &&
  ['queued', 'sending', 'sent'].includes(status) &&
  Date.now() - Date.parse(created_at) < WATCHED_MS;

/** Opens the conversation, and returns its first unread message once all of them are there. */
function useOpened(id: string, textId: string): { isOpen: boolean; firstUnread: string | undefined } {
  const [opened, setOpened] = useState<{ readonly firstUnread: string | undefined }>();
  useEffect(() => {
    const open = async (): Promise<void> => {
      await openTexts(id);
      if (textId !== '' && !(await reachText(id, textId))) toast(t('portal.textTooFar'), true);
    };
    open().then(
      () => setOpened({ firstUnread: useTexts.getState().opened.get(id)?.messages.find(isUnread)?.id }),
      (error: unknown) => toast(messageOf(error), true),
    );
  }, [id, textId]);
  return { isOpen: opened !== undefined, firstUnread: opened?.firstUnread };
}

/** At a message that a search has found, or else at the first unread one. */
export function Thread({ id, textId }: { id: string; textId: string }) {
  const [, go] = useLocation();
  const conversation = useInbox((state) => state.conversations.get(id));
  const messages = useTexts((state) => state.opened.get(id)?.messages ?? NONE);
  const { isOpen, firstUnread } = useOpened(id, textId);
  const optOuts = useOptOuts(conversation, messages);
  const [isDeleting, setDeleting] = useState(false);
  const [isCardOpen, setCardOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const read = (): void => {
      if (!document.hidden) markRead(id).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, isOpen, messages]);
  const isWatched = messages.some(isPending);
  useEffect(() => {
    if (!isWatched) return undefined;
    const timer = setInterval(() => document.hidden || void lookAgain(id, isPending).catch(() => undefined), LOOK_MS);
    return () => clearInterval(timer);
  }, [id, isWatched]);
  if (!conversation) return <div aria-busy="true" />;
  const [contact] = conversation.contactsinfo;
  return (
    <section className={classes.thread} aria-label={titleOf(conversation)}>
      <div className={classes.head}>
        <span className={classes.back}>
          <IconButton icon="chevron" label={t('portal.back')} onClick={() => go('/texting')} />
        </span>
        <div className={classes.title}>
          <h2>{titleOf(conversation)}</h2>
          <small>{t('portal.from', { number: conversation.from_number })}</small>
        </div>
        <Notes key={id} conversationId={id} />
        {contact && <CallButton number={contact.number} />}
        {contact && <IconButton icon="edit" label={t('portal.contactCard')} onClick={() => setCardOpen(true)} />}
        <IconButton icon="trash" label={t('portal.delete')} onClick={() => setDeleting(true)} />
      </div>
      <TextList conversationId={id} firstUnread={firstUnread} found={isOpen ? textId : ''} />
      <OptOutNote optOuts={optOuts} conversation={conversation} />
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
