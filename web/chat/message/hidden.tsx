/** Messages of muted people are hidden until the reader wants to see one. */
import type { ReactElement } from 'react';
import { t } from '../../shared/texts/texts';
import { wakeRows } from '../data/messages';
import { chat } from '../data/store';
import type { Message } from '../data/wire';
import classes from './message-row.module.css';

/** Those that were shown all the same. */
const revealed = new Set<number>();

export const isHidden = ({ id, sender_id: sender }: Message): boolean =>
  chat().mutedUsers.has(sender) && !revealed.has(id);

function reveal(id: number): void {
  revealed.add(id);
  wakeRows(id);
}

export const hiddenNote = ({ id }: Message): ReactElement => (
  <p className={classes.hidden}>
    {t('message.hidden')}{' '}
    <button type="button" onClick={() => reveal(id)}>
      {t('message.showHidden')}
    </button>
  </p>
);
