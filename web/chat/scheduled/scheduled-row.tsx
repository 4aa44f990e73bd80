/** A scheduled message or a reminder in the list: when, what, and what can be done with it. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { refusalText } from '../../shared/texts/refusals';
import { t } from '../../shared/texts/texts';
import { Icon, type IconName } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { tell, toast } from '../../shared/ui/toasts';
import { showDialog } from '../dialogs/dialogs';
import { RichText } from '../message/rich-text';
import { cancelReminder, cancelScheduled, sendNow, setContent } from './commands';
import type { Reminder, ScheduledMessage } from './scheduled';
import { momentText } from './time-texts';
import classes from './scheduled.module.css';

/** What can be done with a row: as icons, or in words where somebody has to choose. */
interface Deed {
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
}

export function ScheduledRow({ message }: { message: ScheduledMessage }) {
  const [isEditing, setEditing] = useState(false);
  const { scheduled_message_id: id } = message;
  const time = momentText(message.scheduled_delivery_timestamp);
  const send: Deed = {
    icon: 'send',
    label: t('scheduled.sendNow'),
    run: () => tell(sendNow(id), t('scheduled.sending')),
  };
  const change: readonly Deed[] = [
    { icon: 'edit', label: t('scheduled.edit'), run: () => setEditing(true) },
    { icon: 'clock', label: t('scheduled.changeTime'), run: () => showDialog({ kind: 'send-later', id }) },
  ];
  const cancel = (label: string): Deed => ({ icon: 'trash', label, run: () => tell(cancelScheduled(message)) });
  const deeds = message.failed
    ? [send, ...change, cancel(t('action.delete'))]
    : [...change, send, cancel(t('scheduled.cancel'))];
  return (
    <Row
      time={message.failed ? t('scheduled.failed', { time }) : time}
      reason={message.failure_message}
      deeds={isEditing ? [] : deeds}
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
  const { reminder_id: reminderId, reminder_target_message_id: messageId } = reminder;
  const time = momentText(reminder.scheduled_delivery_timestamp);
  return (
    <Row
      time={reminder.failed ? t('remind.failed', { time }) : time}
      reason={reminder.failure_message}
      deeds={[
        { icon: 'edit', label: t('remind.edit'), run: () => showDialog({ kind: 'remind', messageId, reminderId }) },
        {
          icon: 'trash',
          label: t('remind.cancel'),
          run: () => tell(cancelReminder(reminderId), t('remind.cancelled')),
        },
      ]}
    >
      <RichText html={reminder.rendered_content} />
    </Row>
  );
}

interface RowProps {
  readonly time: string;
  /** Why it was not sent, in the server's words. */
  readonly reason: string | undefined;
  readonly deeds: readonly Deed[];
  readonly children: ReactNode;
}

function Row({ time, reason, deeds, children }: RowProps) {
  const hasFailed = reason !== undefined;
  return (
    <li className={classes.row} data-failed={hasFailed || undefined}>
      <p className={classes.time}>
        <Icon name="clock" size={14} />
        <span>{time}</span>
      </p>
      {hasFailed && <p className={classes.reason}>{refusalText(reason)}</p>}
      <div className={classes.actions}>
        {deeds.map(({ icon, label, run }) =>
          hasFailed ? (
            <Button
              key={icon}
              size="compact-sm"
              variant="default"
              leftSection={<Icon name={icon} size={14} />}
              onClick={run}
            >
              {label}
            </Button>
          ) : (
            <IconButton key={icon} icon={icon} label={label} onClick={run} />
          ),
        )}
      </div>
      <div className={classes.text}>{children}</div>
    </li>
  );
}

/** The text stays until the server has it. */
function TextEditor({ message, onClose }: { message: ScheduledMessage; onClose: () => void }) {
  const { scheduled_message_id: id } = message;
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
      // What was not sent waits for no time.
      await (message.failed ? sendNow(id, { content: text }) : setContent(id, text));
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
          {t(message.failed ? 'scheduled.sendNow' : 'action.save')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}
