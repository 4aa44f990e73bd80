/** The texting inbox: conversations on the left, messages beside them. */
import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { messageOf } from '../../shared/http/message-of';
import { ago } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { Faxes } from './faxes';
import { inOrder, loadConversations, useInbox } from './inbox';
import { NewConversation } from './new-conversation';
import { Status } from './status';
import { Thread } from './thread';
import { lastActivity, titleOf, type Conversation } from './wire';
import classes from './texting.module.css';

export function Texting() {
  const [location, go] = useLocation();
  const [, , chosen = '', faxId = ''] = location.split('/');
  const [isWriting, setWriting] = useState(false);
  const isConnected = useInbox((state) => state.isConnected);
  return (
    <>
      <div className={classes.head}>
        <Button onClick={() => setWriting(true)}>{t('portal.newConversation')}</Button>
        <Link href="/texting" aria-current={chosen === 'faxes' ? undefined : 'page'}>
          {t('portal.conversations')}
        </Link>
        <Link href="/texting/faxes" aria-current={chosen === 'faxes' ? 'page' : undefined}>
          {t('portal.faxes')}
        </Link>
        <Status />
        <span role="status" className={classes.dim}>
          {isConnected ? t('portal.live') : t('portal.connecting')}
        </span>
      </div>
      {chosen === 'faxes' ? (
        <Faxes chosen={faxId} />
      ) : (
        <div className={classes.inbox} data-open={chosen === '' ? undefined : true}>
          <ConversationList chosen={chosen} />
          {chosen === '' ? (
            <p className={classes.dim}>{t('portal.chooseConversation')}</p>
          ) : (
            <Thread key={chosen} id={chosen} />
          )}
        </div>
      )}
      {isWriting && (
        <NewConversation
          onClose={() => setWriting(false)}
          onBegun={(id) => {
            setWriting(false);
            go(`/texting/${id}`);
          }}
        />
      )}
    </>
  );
}

function ConversationList({ chosen }: { chosen: string }) {
  const { conversations, isLoaded } = useInbox();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<readonly string[]>();
  useEffect(() => {
    const wanted = search.trim();
    const timer = setTimeout(() => {
      loadConversations(wanted).then(
        (ids) => setFound(wanted === '' ? undefined : ids),
        (error: unknown) => toast(messageOf(error), true),
      );
    }, 250);
    return () => clearTimeout(timer);
  }, [search]);
  const shown = inOrder(conversations).filter(({ id }) => found === undefined || found.includes(id));
  return (
    <nav className={classes.list} aria-label={t('portal.conversations')} aria-busy={!isLoaded}>
      <TextInput
        type="search"
        aria-label={t('portal.searchConversations')}
        placeholder={t('portal.searchConversations')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul>
        {shown.map((conversation) => (
          <li key={conversation.id}>
            <Entry conversation={conversation} isChosen={conversation.id === chosen} />
          </li>
        ))}
      </ul>
      {isLoaded && shown.length === 0 && (
        <p className={classes.dim}>{t(search.trim() === '' ? 'portal.firstConversation' : 'portal.noConversations')}</p>
      )}
    </nav>
  );
}

function Entry({ conversation, isChosen }: { conversation: Conversation; isChosen: boolean }) {
  const { id, unread_msg_count: unread, lastmessage } = conversation;
  return (
    <Link href={`/texting/${id}`} aria-current={isChosen ? 'page' : undefined} className={classes.entry}>
      <span className={classes.name} data-unread={unread > 0 || undefined}>
        {titleOf(conversation)}
        {unread > 0 && <span className={classes.count}>{t('side.unread', { count: unread })}</span>}
      </span>
      <small>
        {ago(Date.parse(lastActivity(conversation)) / 1000)} · {lastmessage?.text.slice(0, 60) ?? ''}
      </small>
    </Link>
  );
}
