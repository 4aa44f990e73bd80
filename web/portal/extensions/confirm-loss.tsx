/** Some changes delete the messages in a mailbox of the PBX, and happen only after another question. */
import { refusalText } from '../../shared/texts/refusals';
import { t } from '../../shared/texts/texts';
import { Confirm } from '../../shared/forms/parts';

interface ConfirmLossProps {
  readonly number: number;
  /** What the server says of the loss. */
  readonly loss: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export const ConfirmLoss = ({ number, loss, onConfirm, onClose }: ConfirmLossProps) => (
  <Confirm
    title={t('portal.discardTitle', { number })}
    action={t('portal.discardVoicemail')}
    onClose={onClose}
    onConfirm={onConfirm}
  >
    <p>{refusalText(loss)}</p>
  </Confirm>
);
