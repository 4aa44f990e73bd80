/** Shown if the page cannot even learn who is signed in. */
import { Button } from '@mantine/core';
import { messageOf } from '../http/message-of';
import { t } from '../texts/texts';
import classes from './shell.module.css';

export const Failed = ({ error, retry }: { error: unknown; retry: () => Promise<void> }) => (
  <main className={classes.center}>
    <p role="alert">{messageOf(error)}</p>
    <Button onClick={() => void retry()}>{t('action.retry')}</Button>
  </main>
);
