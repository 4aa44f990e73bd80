/** A file of a message or a fax: a picture is shown, anything else is opened beside the page. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { api } from '../http/api';
import type { TextFile } from './wire';
import classes from './texting.module.css';

/** An address that works without a key for a while, on the server that the page comes from. */
async function addressOf(id: string): Promise<string> {
  const { url } = await api.post<{ url: string }>(`/files/${id}/generate_url`);
  const { pathname, search } = new URL(url);
  return pathname + search;
}

export function SharedFile({ file }: { file: TextFile }) {
  const isPicture = file.mimetype?.startsWith('image/') === true;
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (isPicture) addressOf(file.id).then(setAddress, () => undefined);
  }, [file.id, isPicture]);
  if (isPicture && address !== '') {
    return <img className={classes.picture} src={address} alt={file.name ?? t('portal.picture')} />;
  }
  return <OpenFile id={file.id} label={file.name ?? t('portal.fileGone')} />;
}

/** The window is opened by the click: one that is opened later is blocked. */
export function OpenFile({ id, label }: { id: string; label: string }) {
  const open = async (): Promise<void> => {
    const opened = window.open('about:blank', '_blank');
    try {
      const address = await addressOf(id);
      if (opened) opened.location.href = address;
    } catch (error) {
      opened?.close();
      toast(messageOf(error), true);
    }
  };
  return (
    <Button size="compact-sm" variant="default" onClick={() => void open()}>
      {label}
    </Button>
  );
}
