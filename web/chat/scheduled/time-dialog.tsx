/** Asks when to send a message, when to send a scheduled one instead, or when to be reminded of one. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { useCompose } from '../compose/state';
import { closeDialog, type TimeDialogKind } from '../dialogs/dialogs';
import { remind, sendLater, setTime } from './commands';
import { useScheduled } from './scheduled';
import { TimeChoice } from './time-choice';
import dialogs from '../dialogs/dialog-form.module.css';

export function TimeDialog({ dialog }: { dialog: TimeDialogKind }) {
  if (dialog.kind === 'remind') return <RemindDialog messageId={dialog.messageId} />;
  return dialog.id === undefined ? <SendLaterDialog /> : <RescheduleDialog id={dialog.id} />;
}

function SendLaterDialog() {
  const draft = useCompose((state) => state.draft);
  return (
    <Dialog opened onClose={closeDialog} title={t('later.title')} size="sm">
      {draft && <TimeChoice action={t('later.do')} onPick={(at) => sendLater(draft, at)} />}
    </Dialog>
  );
}

function RescheduleDialog({ id }: { id: number }) {
  const first = useScheduled(({ messages }) => messages.get(id)?.scheduled_delivery_timestamp);
  return (
    <Dialog opened onClose={closeDialog} title={t('scheduled.changeTime')} size="sm">
      <TimeChoice action={t('action.save')} first={first} onPick={(at) => setTime(id, at)} />
    </Dialog>
  );
}

/** The server takes no longer note. */
const MAX_NOTE = 1000;

function RemindDialog({ messageId }: { messageId: number }) {
  const [note, setNote] = useState('');
  return (
    <Dialog opened onClose={closeDialog} title={t('remind.title')} size="sm">
      <div className={dialogs.form}>
        <TextInput
          label={t('remind.note')}
          value={note}
          maxLength={MAX_NOTE}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <div>
          <TimeChoice action={t('remind.do')} onPick={(at) => remind(messageId, at, note)} />
        </div>
      </div>
    </Dialog>
  );
}
