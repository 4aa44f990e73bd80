/** A QR code. The library is loaded when the first one is shown. */
import { Suspense } from 'react';
import { lazyPart } from '../lazy-part';
import classes from './qr-code.module.css';

const QrPicture = lazyPart(() => import('./qr-picture'), 'QrPicture');

/** The text may be secret, so it is drawn in the page and never put into a URL. */
export function QrCode({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.frame}>
      <Suspense fallback={<div aria-busy="true" />}>
        <QrPicture text={text} label={label} />
      </Suspense>
    </div>
  );
}
