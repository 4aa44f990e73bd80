/** A QR code. What draws it is fetched when the first one is shown. */
import { Suspense } from 'react';
import { lazyPart } from '../lazy-part';
import classes from './qr-code.module.css';

const QrPicture = lazyPart(() => import('./qr-picture'), 'QrPicture');

/** The text may be a secret: only the picture holds it, never an address. */
export function QrCode({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.frame}>
      <Suspense fallback={<div aria-busy="true" />}>
        <QrPicture text={text} label={label} />
      </Suspense>
    </div>
  );
}
