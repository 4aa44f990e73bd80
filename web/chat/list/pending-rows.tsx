/** The view's outgoing messages, below those that have arrived. */
import { refusalText } from '../../shared/texts/refusals';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import type { Narrow } from '../data/narrow';
import { discardOutgoing, isLate, retryOutgoing, useOutbox, type Outgoing } from '../data/outbox';
import { pendingIn } from '../data/pending';
import { useChat } from '../data/store';
import { restoreDraft } from '../compose/state';
import classes from './message-list.module.css';

export function PendingRows({ narrow }: { narrow: Narrow }) {
  const entries = useOutbox((state) => state.entries);
  const me = useChat((state) => state.people.get(state.ownId));
  const shown = pendingIn(narrow, entries);
  if (shown.length === 0 || !me) return <div className={classes.end} />;
  return (
    <>
      {shown.map((entry) => (
        <div key={entry.key} className={classes.pending}>
          <Avatar name={me.full_name} id={me.user_id} url={me.avatar_url} />
          <div>
            <div className={classes.pendingText}>{entry.content}</div>
            <PendingNote entry={entry} />
          </div>
        </div>
      ))}
      <div className={classes.end} />
    </>
  );
}

function PendingNote({ entry }: { entry: Outgoing }) {
  if (entry.state === 'sending') {
    return (
      <div className={classes.pendingNote} role="status">
        {isLate(entry) && t('pending.late')}
      </div>
    );
  }
  const isRefused = entry.state === 'refused';
  const edit = (): void => {
    discardOutgoing(entry.key);
    restoreDraft(entry);
  };
  return (
    <div className={classes.pendingNote} data-refused={isRefused || undefined} role="status">
      <span>
        {isRefused ? t('pending.refused', { reason: refusalText(entry.reason ?? '') }) : t('pending.waiting')}
      </span>
      <span className={classes.pendingActions}>
        <button type="button" onClick={() => retryOutgoing(entry.key)}>
          {t('action.retry')}
        </button>
        <button type="button" onClick={edit}>
          {t('action.edit')}
        </button>
        <button type="button" onClick={() => discardOutgoing(entry.key)}>
          {t('action.discard')}
        </button>
      </span>
    </div>
  );
}
