/** Asks when to send a message, when to send a scheduled one instead, when to be reminded of one, or changes a reminder. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { useCompose } from '../compose/state';
import { closeDialog, type TimeDialogKind } from '../dialogs/dialogs';
import { changeReminder, remind, sendLater, setTime } from './commands';
import { useScheduled } from './scheduled';
import { TimeChoice } from './time-choice';
import dialogs from '../dialogs/dialog-form.module.css';

export function TimeDialog({ dialog }: { dialog: TimeDialogKind }) {
  if (dialog.kind === 'remind') {
    const { messageId, reminderId: id } = dialog;
    return id === undefined ? <RemindDialog messageId={messageId} /> : <ReminderDialog id={id} />;
  }
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

const RemindDialog = ({ messageId }: { messageId: number }) => (
  <NoteDialog title={t('remind.title')} action={t('remind.do')} onPick={(at, note) => remind(messageId, at, note)} />
);

function ReminderDialog({ id }: { id: number }) {
  const [reminder] = useState(() => useScheduled.getState().reminders.get(id));
  return (
    <NoteDialog
      title={t('remind.edit')}
      action={t('action.save')}
      first={reminder?.scheduled_delivery_timestamp}
      firstNote={reminder?.note}
      onPick={(at, note) => changeReminder(id, at, note)}
    />
  );
}

interface NoteDialogProps {
  readonly title: string;
  readonly action: string;
  readonly first?: number | undefined;
  readonly firstNote?: string | undefined;
  readonly onPick: (at: number, note: string) => Promise<unknown>;
}

function NoteDialog({ title, action, first, firstNote = '', onPick }: NoteDialogProps) {
  const [note, setNote] = useState(firstNote);
  return (
    <Dialog opened onClose={closeDialog} title={title} size="sm">
      <div className={dialogs.form}>
        <Textarea
          label={t('remind.note')}
          value={note}
          maxLength={MAX_NOTE}
          autosize
          maxRows={6}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <div>
          <TimeChoice action={action} first={first} onPick={(at) => onPick(at, note)} />
        </div>
      </div>
    </Dialog>
  );
}
