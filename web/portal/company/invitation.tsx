/** A user's invitation: a link to pass on, or a mail to send. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { Secret } from '../../shared/forms/parts';
import { api } from '../http/api';
import { useSignedIn } from '../session/session';
import { nameOf, type Contact } from '../wire';
import classes from '../../shared/forms/form.module.css';

export function Invitation({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { sends_mail: sendsMail } = useSignedIn();
  const [isBusy, setBusy] = useState(false);
  const mail = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.post(`/portal/api/contacts/${contact.id}/letters`);
      toast(t('portal.invitationSent', { email: contact.work_email }));
      onClose();
    } catch (error) {
      toast(messageOf(error), true);
      setBusy(false);
    }
  };
  return (
    <Dialog opened onClose={onClose} title={t('portal.invite', { name: nameOf(contact) })}>
      <div className={classes.form}>
        <p>{t('portal.inviteHint')}</p>
        <Secret
          label={t('portal.inviteLink')}
          text={`${location.origin}/portal/enter#${contact.invitation.token ?? ''}`}
        />
        {sendsMail && (
          <Button loading={isBusy} onClick={() => void mail()}>
            {t('portal.mailInvitation', { email: contact.work_email })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
