/** A file of a message or fax: images are shown inline, other files open in another tab. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { api } from '../http/api';
import type { TextFile } from './wire';
import classes from './texting.module.css';

/** A signed URL on this page's own server, which works without a key for a while. */
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

/** The window opens within the click, because browsers block one that is opened later. */
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
