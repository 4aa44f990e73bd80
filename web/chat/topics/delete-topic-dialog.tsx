/** Asks before all messages of a topic are deleted. */
import { Button } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { tell } from '../../shared/ui/toasts';
import { closeDialog } from '../dialogs/dialogs';
import { removeTopic } from './topic-entries';
import classes from '../dialogs/dialog-form.module.css';

export function DeleteTopicDialog({ streamId, topic }: { streamId: number; topic: string }) {
  const remove = (): void => {
    closeDialog();
    tell(removeTopic(streamId, topic));
  };
  return (
    <Dialog opened onClose={closeDialog} title={t('topic.delete')} size="sm">
      <p>{t('topic.deleteSure', { topic })}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={closeDialog} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button color="red" onClick={remove}>
          {t('topic.delete')}
        </Button>
      </div>
    </Dialog>
  );
}
