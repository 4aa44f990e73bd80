/** The edit history of a message. */
import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { dateAndTimeOf } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { historyOf, type Revision } from '../data/actions';
import { nameOf } from '../data/store';
import { closeDialog } from './dialogs';
import { RichText } from '../message/rich-text';
import classes from './history-dialog.module.css';

export function HistoryDialog({ messageId }: { messageId: number }) {
  const [revisions, setRevisions] = useState<readonly Revision[]>();
  const [error, setError] = useState('');
  useEffect(() => {
    historyOf(messageId).then(setRevisions, (reason: unknown) => setError(messageOf(reason)));
  }, [messageId]);
  return (
    <Dialog opened onClose={closeDialog} title={t('history.title')} size="lg">
      {error !== '' && <p role="alert">{error}</p>}
      {!revisions && error === '' && <Loader role="status" size="sm" aria-label={t('loading')} />}
      <ol className={classes.list}>
        {revisions?.toReversed().map((revision) => (
          <li key={revision.timestamp}>
            <p>{t('history.entry', { name: nameOf(revision.user_id), time: dateAndTimeOf(revision.timestamp) })}</p>
            {revision.prev_topic !== undefined && (
              <p>
                <del>{revision.prev_topic}</del> → <ins>{revision.topic}</ins>
              </p>
            )}
            <RichText html={revision.content_html_diff ?? revision.rendered_content} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
