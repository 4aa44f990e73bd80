/** What a phone needs to register, shown once after the extension was made. */
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { Secret } from '../forms/parts';
import type { Extension } from '../wire';
import classes from '../forms/form.module.css';

export function SecretDialog({ extension, onClose }: { extension: Extension; onClose: () => void }) {
  const { data, phone, warnings } = extension;
  const server = phone[0]?.data.reg[0]?.server[0]?.address ?? '';
  return (
    <Dialog opened onClose={onClose} title={t('portal.phoneData', { number: data.id })}>
      <div className={classes.form}>
        <p>{t('portal.secretHint')}</p>
        <Secret label={t('portal.server')} text={server} />
        <Secret label={t('portal.userName')} text={String(data.id)} />
        <Secret label={t('portal.secret')} text={data.secret} />
        {warnings.length > 0 && <p>{t('portal.warnings', { fields: warnings.join(', ') })}</p>}
      </div>
    </Dialog>
  );
}
