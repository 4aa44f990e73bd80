/** The files that the user has uploaded: open and delete them, and find the messages that link to them. */
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Section } from '../../shared/forms/section';
import { messageOf } from '../../shared/http/message-of';
import { api } from '../../shared/http/request';
import { ago, dateAndTimeOf } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { pathOf } from '../data/narrow';
import { SureButton } from './sure-button';
import { useWork } from './use-work';
import classes from './settings.module.css';

interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  /** In milliseconds, as the times of messages. */
  readonly create_time: number;
  readonly messages: readonly { readonly id: number; readonly name: number }[];
}

interface Uploaded {
  readonly attachments: readonly Attachment[];
  readonly upload_space_used: number;
}

/** More make the page slow; they come with a button. */
const SHOWN = 100;
const MAX_MESSAGES = 3;
const UNITS = ['B', 'kB', 'MB', 'GB'];

function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const digits = power === 0 ? 0 : 1;
  return `${(bytes / 1000 ** power).toLocaleString(undefined, { maximumFractionDigits: digits })} ${UNITS[power]}`;
}

export function Files() {
  const [uploaded, setUploaded] = useState<Uploaded>();
  const [shown, setShown] = useState(SHOWN);
  const { isBusy, run } = useWork();
  const load = useCallback(async () => setUploaded(await api.get<Uploaded>('/attachments')), []);
  useEffect(() => {
    load().catch((error: unknown) => toast(messageOf(error), true));
  }, [load]);
  const remove = (id: number): void =>
    void run(async () => {
      await api.remove(`/attachments/${id}`);
      await load();
    }, t('files.deleted'));
  const files = uploaded?.attachments.toReversed() ?? [];
  return (
    <Section hint={t('files.hint')}>
      {uploaded && (
        <p>
          {files.length === 0
            ? t('files.none')
            : t('files.used', { count: files.length, size: sizeOf(uploaded.upload_space_used) })}
        </p>
      )}
      <ul className={classes.list} aria-label={t('files.list')}>
        {files.slice(0, shown).map((file) => (
          <li key={file.id}>
            <span className={classes.grow}>
              <a href={`/user_uploads/${file.path_id}`} target="_blank" rel="noopener">
                {file.name}
              </a>
              <small>
                {sizeOf(file.size)} · {ago(file.create_time / 1000)} · <Places messages={file.messages} />
              </small>
            </span>
            <SureButton size="compact-sm" disabled={isBusy} onSure={() => remove(file.id)}>
              {t('action.delete')}
            </SureButton>
          </li>
        ))}
      </ul>
      {files.length > shown && (
        <Button mt="xs" variant="default" onClick={() => setShown(shown + SHOWN)}>
          {t('action.showMore')}
        </Button>
      )}
    </Section>
  );
}

function Places({ messages }: Pick<Attachment, 'messages'>) {
  if (messages.length === 0) return t('files.unused');
  return messages.slice(0, MAX_MESSAGES).map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link href={pathOf({ kind: 'search', query: `id:${id}` })}>
        {t('files.message', { time: dateAndTimeOf(name / 1000) })}
      </Link>
    </span>
  ));
}
