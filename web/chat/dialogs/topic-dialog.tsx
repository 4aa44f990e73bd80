/** Moves a message or its whole topic to another topic. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { tell } from '../../shared/ui/toasts';
import { editMessage } from '../data/actions';
import { useMessage } from '../data/messages';
import { closeDialog } from './dialogs';
import classes from './dialog-form.module.css';

const MODES = ['change_one', 'change_later', 'change_all'] as const;

export function TopicDialog({ messageId }: { messageId: number }) {
  const message = useMessage(messageId);
  const [topic, setTopic] = useState(message?.subject ?? '');
  const [mode, setMode] = useState<string>('change_later');
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    closeDialog();
    tell(editMessage(messageId, { topic: topic.trim(), propagate_mode: mode }));
  };
  return (
    <Dialog opened onClose={closeDialog} title={t('message.editTopic')}>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          label={t('compose.topic')}
          value={topic}
          maxLength={60}
          required
          withAsterisk={false}
          data-autofocus
          onChange={(event) => setTopic(event.currentTarget.value)}
        />
        <Select
          label={t('topicDialog.which')}
          data={MODES.map((value) => ({ value, label: t(`topicDialog.${value}`) }))}
          value={mode}
          allowDeselect={false}
          onChange={(value) => setMode(value ?? 'change_one')}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={closeDialog}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" disabled={topic.trim() === '' || topic.trim() === message?.subject}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
