/** Asks before a stream is archived. */
import { Button } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { tell } from '../../shared/ui/toasts';
import { archiveStream } from '../data/actions';
import { useChat } from '../data/store';
import { closeDialog } from '../dialogs/dialogs';
import classes from '../dialogs/dialog-form.module.css';

export function ArchiveDialog({ streamId }: { streamId: number }) {
  const name = useChat((state) => state.streams.get(streamId)?.name ?? '');
  const archive = (): void => {
    closeDialog();
    tell(archiveStream(streamId), t('directory.archived'));
  };
  return (
    <Dialog opened onClose={closeDialog} title={t('stream.archiveTitle', { stream: `#${name}` })} size="sm">
      <p>{t('stream.archiveSure')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={closeDialog} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button color="red" onClick={archive}>
          {t('stream.archive')}
        </Button>
      </div>
    </Dialog>
  );
}
