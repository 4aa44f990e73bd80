/** A scheduled message or a reminder in the list: when, what, and what can be done with it. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { tell, toast } from '../../shared/ui/toasts';
import { showDialog } from '../dialogs/dialogs';
import { RichText } from '../message/rich-text';
import { cancelReminder, cancelScheduled, sendNow, setContent } from './commands';
import type { Reminder, ScheduledMessage } from './scheduled';
import { momentText } from './time-texts';
import classes from './scheduled.module.css';

export function ScheduledRow({ message }: { message: ScheduledMessage }) {
  const [isEditing, setEditing] = useState(false);
  const { scheduled_message_id: id } = message;
  const time = momentText(message.scheduled_delivery_timestamp);
  const actions = (
    <>
      <IconButton icon="edit" label={t('scheduled.edit')} onClick={() => setEditing(true)} />
      <IconButton
        icon="clock"
        label={t('scheduled.changeTime')}
        onClick={() => showDialog({ kind: 'send-later', id })}
      />
      <IconButton
        icon="send"
        label={t('scheduled.sendNow')}
        onClick={() => tell(sendNow(id), t('scheduled.sending'))}
      />
      <IconButton icon="trash" label={t('scheduled.cancel')} onClick={() => tell(cancelScheduled(message))} />
    </>
  );
  return (
    <Row
      time={message.failed ? t('scheduled.failed', { time }) : time}
      hasFailed={message.failed}
      actions={isEditing ? null : actions}
    >
      {isEditing ? (
        <TextEditor message={message} onClose={() => setEditing(false)} />
      ) : (
        <RichText html={message.rendered_content} />
      )}
    </Row>
  );
}

export function ReminderRow({ reminder }: { reminder: Reminder }) {
  const cancel = (): void => tell(cancelReminder(reminder.reminder_id), t('remind.cancelled'));
  const time = momentText(reminder.scheduled_delivery_timestamp);
  return (
    <Row
      time={reminder.failed ? t('remind.failed', { time }) : time}
      hasFailed={reminder.failed}
      actions={<IconButton icon="trash" label={t('remind.cancel')} onClick={cancel} />}
    >
      <RichText html={reminder.rendered_content} />
    </Row>
  );
}

interface RowProps {
  readonly time: string;
  readonly hasFailed: boolean;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

function Row({ time, hasFailed, actions, children }: RowProps) {
  return (
    <li className={classes.row} data-failed={hasFailed || undefined}>
      <p className={classes.time}>
        <Icon name="clock" size={14} />
        <span>{time}</span>
      </p>
      <div className={classes.actions}>{actions}</div>
      <div className={classes.text}>{children}</div>
    </li>
  );
}

/** The text stays until the server has it. */
function TextEditor({ message, onClose }: { message: ScheduledMessage; onClose: () => void }) {
  const [text, setText] = useState(message.content);
  const [isBusy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const row = area.current?.closest('li');
    area.current?.focus();
    // Back to what opened it.
    return () => row?.querySelector('button')?.focus();
  }, []);
  const save = async (): Promise<void> => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    try {
      await setContent(message.scheduled_message_id, text);
      onClose();
    } catch (error) {
      setBusy(false);
      toast(messageOf(error), true);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={classes.editor}>
      <textarea
        ref={area}
        value={text}
        rows={Math.min(12, text.split('\n').length + 1)}
        aria-label={t('scheduled.edit')}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div>
        <Button size="compact-sm" disabled={isBusy || text.trim() === ''} onClick={() => void save()}>
          {t('action.save')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}
