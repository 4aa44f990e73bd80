/** The editor that replaces a message's text. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { tell, toast } from '../../shared/ui/toasts';
import { messageOf } from '../../shared/http/message-of';
import { editMessage, rawContentOf } from '../data/actions';
import type { Message } from '../data/wire';
import { useShown } from '../dialogs/dialogs';
import classes from './edit-in-place.module.css';

const close = (): void => useShown.setState({ editing: undefined });

function save(id: number, content: string): void {
  if (content.trim() === '') return;
  close();
  tell(editMessage(id, { content }));
}

export function EditInPlace({ message }: { message: Message }) {
  const [text, setText] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  // The box has the focus at once. Text that is typed before the content has loaded is appended to it.
  const early = useRef({ typed: '', isSaved: false });
  useEffect(() => {
    const row = area.current?.closest('article');
    let isOpen = true;
    rawContentOf(message.id).then(
      (raw) => {
        const { typed, isSaved } = early.current;
        if (isOpen && isSaved) save(message.id, raw + typed);
        else if (isOpen) setText(raw + typed);
      },
      (error: unknown) => {
        if (!isOpen) return;
        toast(messageOf(error), true);
        close();
      },
    );
    return () => {
      isOpen = false;
      // Gives the focus back to the message row.
      if (document.activeElement === document.body) row?.focus({ preventScroll: true });
    };
  }, [message.id]);
  const isReady = text !== undefined;
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
    // The field is taller than the text was, and has buttons below it.
    area.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [isReady]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const hasControl = event.ctrlKey || event.metaKey;
    if (!isReady && event.key.length === 1 && !hasControl) early.current.typed += event.key;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && hasControl && isReady) save(message.id, text);
    else if (event.key === 'Enter' && hasControl) early.current.isSaved = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={classes.edit}>
      <textarea
        ref={area}
        value={text ?? ''}
        rows={Math.min(12, (text ?? '').split('\n').length + 1)}
        aria-label={t('message.edit')}
        readOnly={!isReady}
        aria-busy={!isReady}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div>
        <Button size="compact-sm" onClick={() => save(message.id, text ?? '')} disabled={!text?.trim()}>
          {t('action.save')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={close}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}
