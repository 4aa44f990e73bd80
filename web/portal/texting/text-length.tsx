/** Counts what is written, and the parts in which the carrier sends and charges it. */
import { segmentsOf } from '../../../src/telephony/model/texting/text-segments';
import { t } from '../../shared/texts/texts';
import classes from './thread.module.css';

/** The server takes no more (src/telephony/model/texting/conversation.ts). */
const MOST = 1600;

export const tooLong = (text: string): boolean => text.length > MOST;

export function TextLength({ text }: { text: string }) {
  const { encoding, count } = segmentsOf(text);
  return (
    <small className={classes.length}>
      {text !== '' && t('portal.textLength', { used: text.length, most: MOST, count })}
      {text !== '' && encoding === 'UCS-2' && ` · ${t('portal.textWide')}`}
      <span className={classes.hint}>{t('portal.sendHint')}</span>
    </small>
  );
}
