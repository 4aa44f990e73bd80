/** The texting inbox: conversations on the left, messages beside them. */
import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { messageOf } from '../../shared/http/message-of';
import { ago } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { Faxes } from './faxes';
import { FoundTexts } from './found-texts';
import { inOrder, loadConversations, useInbox } from './inbox';
import { NewConversation } from './new-conversation';
import { Status } from './status';
import { Thread } from './thread';
import { lastActivity, titleOf, type Conversation } from './wire';
import classes from './texting.module.css';

export function Texting() {
  const [location, go] = useLocation();
  const [, , chosen = '', part = ''] = location.split('/');
  const isOpen = chosen !== '' && chosen !== 'faxes';
  const [isWriting, setWriting] = useState(false);
  const isConnected = useInbox((state) => state.isConnected);
  return (
    <>
      <div className={classes.head} data-open={isOpen || undefined}>
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
        <div className={classes.faxes}>
          <Faxes chosen={part} />
        </div>
      ) : (
        <div className={classes.inbox} data-open={isOpen || undefined}>
          <ConversationList chosen={chosen} />
          {isOpen ? (
            <Thread key={`${chosen} ${part}`} id={chosen} textId={part} />
          ) : (
            <p className={classes.none}>{t('portal.chooseConversation')}</p>
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

/** What a search has found, page by page. */
interface Found {
  readonly search: string;
  readonly ids: readonly string[];
  readonly pages: number;
  readonly hasMore: boolean;
}

const NOTHING: Found = { search: '', ids: [], pages: 0, hasMore: false };

function ConversationList({ chosen }: { chosen: string }) {
  const { conversations, isLoaded } = useInbox();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState(NOTHING);
  const load = (wanted: string, before: Found): Promise<void> =>
    loadConversations(wanted, before.pages + 1).then(
      ({ ids, hasMore }) =>
        setFound({ search: wanted, ids: [...before.ids, ...ids], pages: before.pages + 1, hasMore }),
      (error: unknown) => toast(messageOf(error), true),
    );
  useEffect(() => {
    const timer = setTimeout(() => void load(search.trim(), NOTHING), 250);
    return () => clearTimeout(timer);
  }, [search]);
  // Without a search, also those that came meanwhile.
  const shown = inOrder(conversations).filter(({ id }) => found.search === '' || found.ids.includes(id));
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
      {found.hasMore && (
        <Button size="compact-sm" variant="subtle" onClick={() => void load(found.search, found)}>
          {t('portal.moreConversations')}
        </Button>
      )}
      <FoundTexts words={search.trim()} />
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
