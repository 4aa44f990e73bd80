/** A preview of the message, rendered by the server. */
import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { renderContent } from '../data/actions';
import { RichText } from '../message/rich-text';
import classes from './compose.module.css';

export function Preview({ content }: { content: string }) {
  const [html, setHtml] = useState<string>();
  const [error, setError] = useState('');
  useEffect(() => {
    let isWanted = true;
    const show = (rendered: string): void => void (isWanted && setHtml(rendered));
    if (content.trim() === '') show('');
    else renderContent(content).then(show, (reason: unknown) => setError(messageOf(reason)));
    return () => {
      isWanted = false;
    };
  }, [content]);
  return (
    <div className={classes.preview} aria-label={t('compose.preview')} role="region">
      {error !== '' && <p role="alert">{error}</p>}
      {html === undefined && error === '' ? <Loader size="xs" /> : <RichText html={html ?? ''} />}
      {html === '' && <p className={classes.empty}>{t('compose.previewEmpty')}</p>}
    </div>
  );
}
