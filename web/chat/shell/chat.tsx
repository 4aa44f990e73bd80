/** The signed-in chat: starts the event loop, and shows the shell once the first data is there. */
import { Loader } from '@mantine/core';
import { useEffect } from 'react';
import { t, chooseLanguage, wantedLanguages } from '../../shared/texts/texts';
import { setHourFormat } from '../../shared/texts/dates';
import { startPresence } from '../data/apply-organisation';
import { useLists } from '../data/lists';
import { loadPeople } from '../data/people-list';
import { openOutbox, useOutbox } from '../data/outbox';
import { chat, useChat, useSetting } from '../data/store';
import { startEventLoop } from '../events/event-loop';
import { announceMessages } from '../notices/announce';
import { followDefaults } from '../notices/follow-defaults';
import { followUse } from '../notices/in-use';
import { notifyOfMessages } from '../notices/notify';
import { sendReadOnLeave } from '../reading/read-soon';
import { ChatShell } from './chat-shell';
import classes from '../../shared/shell/shell.module.css';

/** Clears all data, so that the next user sees nothing of the previous one. */
function forgetAll(): void {
  useChat.setState(useChat.getInitialState(), true);
  useLists.setState(useLists.getInitialState(), true);
  useOutbox.setState({ entries: [] });
}

/** Fetches the list of people after each registration. Presence is told by address, so it comes after the list. */
function useFollowPeople(): void {
  const queueId = useChat((state) => state.queueId);
  const areThere = useChat((state) => state.awaited === undefined);
  useEffect(() => {
    if (queueId === '') return undefined;
    const stop = new AbortController();
    void loadPeople(stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [queueId]);
  useEffect(() => (areThere ? startPresence() : undefined), [areThere]);
}

export function Chat({ language }: { language: string }) {
  const isReady = useChat((state) => state.ownId > 0);
  const connection = useChat((state) => state.connection);
  useEffect(() => {
    const stop = startEventLoop((messages) => {
      announceMessages(messages);
      notifyOfMessages(messages);
    });
    const stopSending = sendReadOnLeave();
    const stopFollowing = followDefaults();
    return () => {
      stop();
      stopFollowing();
      stopSending();
      forgetAll();
    };
  }, []);
  useEffect(() => {
    if (!isReady) return undefined;
    openOutbox();
    return followUse(chat().ownId);
  }, [isReady]);
  useFollowPeople();
  const isTwentyFour = useSetting('twenty_four_hour_time', false);
  useEffect(() => setHourFormat(isTwentyFour), [isTwentyFour]);
  const wanted = useSetting('default_language', '');
  useEffect(() => {
    // 'en' is the default, so the browser's own choice and languages take precedence over it.
    if (wanted !== '') void chooseLanguage(wanted === 'en' ? wantedLanguages() : [wanted, ...navigator.languages]);
  }, [wanted]);
  if (isReady) return <ChatShell key={language} />;
  return (
    <main className={classes.center} aria-busy="true">
      <Loader role="status" aria-label={t('loading')} />
      {connection === 'offline' && <p role="status">{t('connection.lost')}</p>}
    </main>
  );
}
