/** Draws a QR code, dark on light even on a dark page, because some cameras read nothing else. */
import { QRCodeSVG } from 'qrcode.react';

const SIZE = 184;
/** In modules, as the standard requires. */
const MARGIN = 4;

export const QrPicture = ({ text, label }: { text: string; label: string }) => (
  <QRCodeSVG
    value={text}
    size={SIZE}
    marginSize={MARGIN}
    level="M"
    bgColor="#ffffff"
    fgColor="#000000"
    role="img"
    aria-label={label}
  />
);
