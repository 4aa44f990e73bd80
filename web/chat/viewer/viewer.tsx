/** Shows one of the loaded pictures large, and leads to the others. */
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { dateAndTimeOf } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { Icon } from '../../shared/ui/icon';
import { messageById } from '../data/messages';
import { chat } from '../data/store';
import { closeDialog } from '../dialogs/dialogs';
import { blurUntilLoaded } from '../message/media';
import { senderName } from '../message/message-parts';
import { loadedPictures, type LoadedPicture } from './loaded-pictures';
import { useZoom } from './use-zoom';
import classes from './viewer.module.css';

interface ViewerProps {
  readonly messageId: number;
  readonly index: number;
}

export function Viewer({ messageId, index }: ViewerProps) {
  const [pictures] = useState(loadedPictures);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      pictures.findIndex((each) => each.messageId === messageId && each.index === index),
    ),
  );
  const box = useRef<HTMLDialogElement>(null);
  const show = (place: number): void => {
    if (place < 0 || place >= pictures.length) return;
    zoom.fit();
    setAt(place);
  };
  const zoom = useZoom((step) => show(at + step));
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    // The browser then gives the focus back to the picture that was clicked.
    return () => dialog?.close();
  }, []);
  const picture = pictures[at];
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    Home: () => show(0),
    End: () => show(pictures.length - 1),
    '+': zoom.larger,
    '=': zoom.larger,
    '-': zoom.smaller,
    '0': zoom.fit,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <dialog
      ref={box}
      className={classes.viewer}
      aria-label={t('viewer.title')}
      onKeyDown={onKeyDown}
      onCancel={closeDialog}
    >
      {picture && (
        <>
          <header className={classes.head}>
            <Caption picture={picture} place={`${at + 1} / ${pictures.length}`} />
            <IconButton icon="minus" label={t('viewer.smaller')} onClick={zoom.smaller} disabled={zoom.scale === 1} />
            <IconButton icon="plus" label={t('viewer.larger')} onClick={zoom.larger} />
            <a className={classes.link} href={picture.full} download={picture.name} title={t('viewer.download')}>
              <Icon name="download" />
              <span className="pl-hidden">{t('viewer.download')}</span>
            </a>
            <a className={classes.link} href={picture.href} target="_blank" rel="noopener" title={t('viewer.original')}>
              <Icon name="open" />
              <span className="pl-hidden">{t('viewer.original')}</span>
            </a>
            <IconButton icon="close" label={t('action.close')} onClick={closeDialog} />
          </header>
          <div className={classes.stage} data-zoomed={zoom.scale > 1 || undefined} {...zoom.hands}>
            <img
              key={picture.full}
              ref={(image) => {
                if (image && !image.complete && picture.small !== undefined) blurUntilLoaded(image, picture.small);
              }}
              width={picture.width}
              height={picture.height}
              // Details beyond the screen's need the whole picture.
              src={zoom.scale > 1 ? picture.full : picture.shown}
              alt={picture.name}
              draggable={false}
              style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
            />
          </div>
          {pictures.length > 1 && (
            <nav className={classes.steps} aria-label={t('viewer.others')}>
              <IconButton
                icon="chevron"
                label={t('viewer.previous')}
                onClick={() => show(at - 1)}
                disabled={at === 0}
                data-back
              />
              <IconButton
                icon="chevron"
                label={t('viewer.next')}
                onClick={() => show(at + 1)}
                disabled={at === pictures.length - 1}
              />
            </nav>
          )}
        </>
      )}
    </dialog>
  );
}

function Caption({ picture, place }: { picture: LoadedPicture; place: string }) {
  const message = messageById(picture.messageId);
  const sender = message && senderName(message, chat().people.get(message.sender_id));
  return (
    <div className={classes.caption} aria-live="polite">
      <b>{picture.name}</b>
      <span>{[place, sender, message && dateAndTimeOf(message.timestamp)].filter(Boolean).join(' · ')}</span>
    </div>
  );
}
