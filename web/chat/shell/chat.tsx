/** The signed-in chat: starts the event loop, and shows the shell once the first data is there. */
import { Loader } from '@mantine/core';
import { useEffect } from 'react';
import { t, chooseLanguage, wantedLanguages } from '../../shared/texts/texts';
import { setHourFormat } from '../../shared/texts/dates';
import { startPresence } from '../data/apply-organisation';
import { useLists } from '../data/lists';
import { openOutbox, useOutbox } from '../data/outbox';
import { useChat, useSetting } from '../data/store';
import { startEventLoop } from '../events/event-loop';
import { announceMessages } from '../notices/announce';
import { notifyOfMessages } from '../notices/notify';
import { ChatShell } from './chat-shell';
import classes from '../../shared/shell/shell.module.css';

/** Clears all data, so that the next user sees nothing of the previous one. */
function forgetAll(): void {
  useChat.setState(useChat.getInitialState(), true);
  useLists.setState(useLists.getInitialState(), true);
  useOutbox.setState({ entries: [] });
}

export function Chat({ language }: { language: string }) {
  const isReady = useChat((state) => state.ownId > 0);
  const connection = useChat((state) => state.connection);
  useEffect(() => {
    const stop = startEventLoop((messages) => {
      announceMessages(messages);
      notifyOfMessages(messages);
    });
    return () => {
      stop();
      forgetAll();
    };
  }, []);
  useEffect(() => {
    if (!isReady) return undefined;
    openOutbox();
    return startPresence();
  }, [isReady]);
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
