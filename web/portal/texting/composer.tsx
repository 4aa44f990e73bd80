/** Writes a message. It is shown at once; the server's version replaces it by its stamp. */
import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { useReply } from '../push/pushed';
import { useSignedIn } from '../session/session';
import { Templates } from './templates';
import { useDraft } from './use-draft';
import { TextLength, tooLong } from './text-length';
import { dropText, putText } from './texts';
import type { TextFile, TextMessage } from './wire';
import classes from './thread.module.css';

export function Composer({ conversationId }: { conversationId: string }) {
  const { contact_id: ownId } = useSignedIn();
  const [text, setText] = useDraft(conversationId);
  const [files, setFiles] = useState<readonly TextFile[]>([]);
  const [isUploading, setUploading] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isReply = useReply(({ to }) => to === conversationId);
  useEffect(() => {
    if (!isReply) return;
    field.current?.focus();
    useReply.setState({ to: '' });
  }, [isReply]);
  const maySend = (text.trim() !== '' || files.length > 0) && !tooLong(text);

  const send = async (): Promise<void> => {
    const stamp = crypto.randomUUID();
    const draft = { text, files };
    putText(optimistic(conversationId, { ...draft, stamp, ownId }));
    setText('');
    setFiles([]);
    try {
      const body = { text, files: files.map(({ id }) => id), stamp_id: stamp };
      putText(await api.post<TextMessage>(`/texting/conversations/${conversationId}/messages`, body));
    } catch (error) {
      dropText(conversationId, stamp);
      // Restores the text and files, unless the user has entered something else since.
      setText((now) => (now === '' ? draft.text : now));
      setFiles((now) => (now.length === 0 ? draft.files : now));
      toast(messageOf(error), true);
    }
  };
  const attach = async (file: File): Promise<void> => {
    setUploading(true);
    try {
      const made = await api.post<TextFile>('/files', { name: file.name.slice(0, 255) });
      const form = new FormData();
      form.append('upfile', file);
      const filled = await api.upload<TextFile>(`/files/${made.id}/upload`, form);
      setFiles((before) => [...before, filled]);
    } catch (error) {
      toast(messageOf(error), true);
    }
    setUploading(false);
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (maySend) void send();
  };
  return (
    <form className={classes.composer} onSubmit={submit}>
      <Textarea
        ref={field}
        aria-label={t('portal.writeText')}
        placeholder={t('portal.writeText')}
        autosize
        minRows={2}
        maxRows={8}
        error={tooLong(text) ? t('portal.textTooLong') : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      {files.length > 0 && (
        <p>
          {files.map(({ name }) => name).join(', ')}{' '}
          <Button size="compact-xs" variant="subtle" onClick={() => setFiles([])}>
            {t('action.remove')}
          </Button>
        </p>
      )}
      <div className={classes.tools}>
        <Button type="submit" disabled={!maySend}>
          {t('portal.send')}
        </Button>
        <Button variant="default" loading={isUploading} onClick={() => picker.current?.click()}>
          {t('portal.attach')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept="image/*,application/pdf"
          aria-label={t('portal.attach')}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            if (file) void attach(file);
          }}
        />
        <Templates text={text} onPick={setText} />
        <TextLength text={text} />
      </div>
    </form>
  );
}

interface Draft {
  readonly text: string;
  readonly files: readonly TextFile[];
  readonly stamp: string;
  readonly ownId: string;
}

const optimistic = (conversationId: string, { text, files, stamp, ownId }: Draft): TextMessage => ({
  id: stamp,
  conversation_id: conversationId,
  direction: 'outbound',
  text,
  files,
  contact: null,
  user_id: ownId,
  stamp_id: stamp,
  status: 'queued',
  error: null,
  is_read: true,
  created_at: new Date().toISOString(),
});
