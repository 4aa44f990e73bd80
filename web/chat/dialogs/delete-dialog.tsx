import { Button } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { tell } from '../../shared/ui/toasts';
import { removeMessage } from '../data/actions';
import { closeDialog } from './dialogs';
import classes from './dialog-form.module.css';

export function DeleteDialog({ messageId }: { messageId: number }) {
  const remove = (): void => {
    closeDialog();
    tell(removeMessage(messageId));
  };
  return (
    <Dialog opened onClose={closeDialog} title={t('message.delete')} size="sm">
      <p>{t('message.deleteSure')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={closeDialog} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button color="red" onClick={remove}>
          {t('message.delete')}
        </Button>
      </div>
    </Dialog>
  );
}
