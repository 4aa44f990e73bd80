/** What a telephone needs to register. Each look is written to the audit trail. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { QrCode } from '../../shared/ui/qr-code';
import { Confirm, Secret } from '../../shared/forms/parts';
import { FormError } from '../../shared/forms/section';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Extension } from '../wire';
import { ConfirmLoss } from './confirm-loss';
import { confirmed, lossIn, wouldDiscard } from './discard-voicemail';
import { Warnings } from './warnings';
import classes from '../../shared/forms/form.module.css';

interface Credentials {
  readonly server: string;
  readonly user_name: string;
  readonly secret: string;
  readonly voicemail_pin: string;
}

interface CredentialsDialogProps {
  readonly extension: Extension;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** The account as a SIP URI. No format is read by all softphones. */
const accountUri = ({ user_name: name, secret, server }: Credentials): string => `sip:${name}:${secret}@${server}`;

const SECRET_BYTES = 16;

/** In the form of those that the server makes. */
const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

export function CredentialsDialog({ extension, onChanged, onClose }: CredentialsDialogProps) {
  const { _id: id, data, pbx, warnings } = extension;
  const path = `/instances/${pbx}/bulks/extensions/${id}`;
  const shown = useLoaded(`credentials ${id}`, () =>
    api.post<Credentials>(`/portal/api/instances/${pbx}/extensions/${id}/credentials`),
  );
  const [isRenewing, setRenewing] = useState(false);
  const [loss, setLoss] = useState<string>();
  const renew = async (to = path): Promise<void> => {
    await api.patch(to, { data: { secret: newSecret() } }, PBX_DEADLINE_MS);
    await Promise.all([shown.reload(), onChanged()]);
  };
  const renewIfNothingIsLost = (): Promise<void> =>
    renew().catch((error: unknown) => {
      if (!wouldDiscard(error)) throw error;
      setLoss(lossIn(error));
    });
  return (
    <Dialog opened onClose={onClose} title={t('portal.phoneData', { number: data.id })}>
      <div className={classes.form} aria-busy={shown.isLoading}>
        <FormError text={shown.error} />
        {shown.value && <Shown credentials={shown.value} />}
        <Warnings warnings={warnings} />
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setRenewing(true)}>
            {t('portal.newSecret')}
          </Button>
        </div>
      </div>
      {isRenewing && (
        <Confirm
          title={t('portal.newSecretTitle', { number: data.id })}
          action={t('portal.newSecret')}
          onClose={() => setRenewing(false)}
          onConfirm={renewIfNothingIsLost}
        >
          <p>{t('portal.newSecretHint')}</p>
        </Confirm>
      )}
      {loss !== undefined && (
        <ConfirmLoss
          number={data.id}
          loss={loss}
          onClose={() => setLoss(undefined)}
          onConfirm={() => renew(confirmed(path))}
        />
      )}
    </Dialog>
  );
}

function Shown({ credentials }: { credentials: Credentials }) {
  return (
    <>
      <p>{t('portal.secretHint')}</p>
      <QrCode text={accountUri(credentials)} label={t('portal.phonePicture')} />
      <small>{t('portal.phonePictureHint')}</small>
      <Secret label={t('portal.server')} text={credentials.server} />
      <Secret label={t('portal.userName')} text={credentials.user_name} />
      <Secret label={t('portal.secret')} text={credentials.secret} />
      {credentials.voicemail_pin !== '' && <Secret label={t('portal.voicemailPin')} text={credentials.voicemail_pin} />}
    </>
  );
}
