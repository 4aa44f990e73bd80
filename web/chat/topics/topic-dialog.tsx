/** Moves a message or a whole topic to another topic or stream, or renames a topic. */
import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useMemo, useState, type SyntheticEvent } from 'react';
import { t, type TextKey } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { tell } from '../../shared/ui/toasts';
import { editMessage } from '../data/actions';
import { useMessage } from '../data/messages';
import { chat } from '../data/store';
import { closeDialog } from '../dialogs/dialogs';
import { moveTargets } from './move-targets';
import { moveTopic, type TopicMove } from './topic-entries';
import classes from '../dialogs/dialog-form.module.css';

const MODES = ['change_one', 'change_later', 'change_all'] as const;

type TopicDialogProps =
  | { readonly messageId: number }
  | { readonly kind: 'move-topic' | 'rename-topic'; readonly streamId: number; readonly topic: string };

export function TopicDialog(props: TopicDialogProps) {
  const isTopic = 'topic' in props;
  const from = useOrigin(props);
  const [topic, setTopic] = useState(from.topic);
  const [streamId, setStreamId] = useState(from.streamId);
  const [mode, setMode] = useState<string>('change_later');
  const [notices, setNotices] = useState({ tellsOld: false, tellsNew: true });
  const isMoved = streamId !== from.streamId;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    closeDialog();
    const to = { topic: topic.trim(), streamId, ...notices };
    tell(
      isTopic ? moveTopic(from.streamId, from.topic, to) : moveMessage(props.messageId, mode, isMoved ? to : to.topic),
    );
  };
  return (
    <Dialog opened onClose={closeDialog} title={t(titleOf(props))}>
      <form onSubmit={submit} className={classes.form}>
        {!(isTopic && props.kind === 'rename-topic') && (
          <StreamField value={streamId} from={from.streamId} onChange={setStreamId} />
        )}
        <TextInput
          label={t('compose.topic')}
          value={topic}
          maxLength={60}
          required
          withAsterisk={false}
          data-autofocus
          onChange={(event) => setTopic(event.currentTarget.value)}
        />
        {!isTopic && <ModeField value={mode} onChange={setMode} />}
        {(isTopic || isMoved) && <Notices value={notices} onChange={setNotices} />}
        <div className={classes.buttons}>
          <Button variant="default" onClick={closeDialog}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" disabled={topic.trim() === '' || (topic.trim() === from.topic && !isMoved)}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function ModeField({ value, onChange }: { value: string; onChange: (mode: string) => void }) {
  return (
    <Select
      label={t('topicDialog.which')}
      data={MODES.map((mode) => ({ value: mode, label: t(`topicDialog.${mode}`) }))}
      value={value}
      allowDeselect={false}
      onChange={(mode) => onChange(mode ?? 'change_one')}
    />
  );
}

interface Notified {
  readonly tellsOld: boolean;
  readonly tellsNew: boolean;
}

function Notices({ value, onChange }: { value: Notified; onChange: (value: Notified) => void }) {
  return (
    <>
      <Checkbox
        label={t('topicDialog.tellNew')}
        checked={value.tellsNew}
        onChange={(event) => onChange({ ...value, tellsNew: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('topicDialog.tellOld')}
        checked={value.tellsOld}
        onChange={(event) => onChange({ ...value, tellsOld: event.currentTarget.checked })}
      />
    </>
  );
}

/** Where the message or topic is. */
function useOrigin(props: TopicDialogProps): { readonly streamId: number; readonly topic: string } {
  const message = useMessage('topic' in props ? -1 : props.messageId);
  return 'topic' in props ? props : { streamId: message?.stream_id ?? 0, topic: message?.subject ?? '' };
}

function titleOf(props: TopicDialogProps): TextKey {
  if (!('topic' in props)) return 'message.editTopic';
  return props.kind === 'rename-topic' ? 'topic.rename' : 'topic.move';
}

interface StreamFieldProps {
  readonly value: number;
  /** Where the messages are. */
  readonly from: number;
  readonly onChange: (id: number) => void;
}

function StreamField({ value, from, onChange }: StreamFieldProps) {
  const data = useMemo(
    () => moveTargets(chat(), from).map((each) => ({ value: String(each.stream_id), label: each.name })),
    [from],
  );
  return (
    <Select
      label={t('compose.stream')}
      data={data}
      value={String(value)}
      searchable
      allowDeselect={false}
      limit={100}
      onChange={(chosen) => onChange(Number(chosen ?? value))}
    />
  );
}

const moveMessage = (id: number, mode: string, to: TopicMove | string) =>
  typeof to === 'string'
    ? editMessage(id, { topic: to, propagate_mode: mode })
    : editMessage(id, {
        topic: to.topic,
        stream_id: to.streamId,
        propagate_mode: mode,
        send_notification_to_old_thread: to.tellsOld,
        send_notification_to_new_thread: to.tellsNew,
      });
