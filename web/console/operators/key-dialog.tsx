/** The new key of an operator, shown once. */
import { Secret } from '../../shared/forms/parts';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import forms from '../../shared/forms/form.module.css';

export interface NewKey {
  readonly name: string;
  readonly key: string;
}

export const KeyDialog = ({ made, onClose }: { made: NewKey; onClose: () => void }) => (
  <Dialog opened onClose={onClose} title={t('ops.keyOf', { name: made.name })}>
    <div className={forms.form}>
      <p>{t('ops.keyOnce')}</p>
      <Secret label={t('ops.key')} text={made.key} />
    </div>
  </Dialog>
);
