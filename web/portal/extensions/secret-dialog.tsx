/** What a phone needs to register, shown once after the extension was created. */
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { QrCode } from '../../shared/ui/qr-code';
import { Secret } from '../../shared/forms/parts';
import type { Extension } from '../wire';
import { Warnings } from './warnings';
import classes from '../../shared/forms/form.module.css';

/** The account as a SIP URI. No format is read by all softphones. */
const accountUri = ({ id, secret }: Extension['data'], server: string): string => `sip:${id}:${secret}@${server}`;

export function SecretDialog({ extension, onClose }: { extension: Extension; onClose: () => void }) {
  const { data, phone, warnings } = extension;
  const server = phone[0]?.data.reg[0]?.server[0]?.address ?? '';
  return (
    <Dialog opened onClose={onClose} title={t('portal.phoneData', { number: data.id })}>
      <div className={classes.form}>
        <p>{t('portal.secretHint')}</p>
        <QrCode text={accountUri(data, server)} label={t('portal.phonePicture')} />
        <small>{t('portal.phonePictureHint')}</small>
        <Secret label={t('portal.server')} text={server} />
        <Secret label={t('portal.userName')} text={String(data.id)} />
        <Secret label={t('portal.secret')} text={data.secret} />
        <Warnings warnings={warnings} />
      </div>
    </Dialog>
  );
}
