/** The text of a message while its author changes it. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { tell, toast } from '../../shared/ui/toasts';
import { messageOf } from '../../shared/http/message-of';
import { editMessage, rawContentOf } from '../data/actions';
import type { Message } from '../data/wire';
import { useShown } from '../shell/dialogs';
import classes from './edit-in-place.module.css';

const close = (): void => useShown.setState({ editing: undefined });

export function EditInPlace({ message }: { message: Message }) {
  const [text, setText] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    rawContentOf(message.id).then(setText, (error: unknown) => {
      toast(messageOf(error), true);
      close();
    });
  }, [message.id]);
  const isReady = text !== undefined;
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, [isReady]);
  if (!isReady) return null;
  const save = (): void => {
    close();
    tell(editMessage(message.id, { content: text }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={classes.edit}>
      <textarea
        ref={area}
        value={text}
        rows={Math.min(12, text.split('\n').length + 1)}
        aria-label={t('message.edit')}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div>
        <Button size="compact-sm" onClick={save} disabled={text.trim() === ''}>
          {t('action.save')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={close}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}
