/** Invites the owner of a company once more. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { ops } from '../data/api';
import { InvitationWords, type Invitation } from './invitation-words';
import { pathOf, type TenantRow } from './wire';

/** Organisations of the chat have no owner that could be invited here. */
export const hasOwner = ({ kind }: TenantRow): boolean => kind === 'company';

export function InviteButton({ tenant }: { tenant: TenantRow }) {
  const [isBusy, setBusy] = useState(false);
  const [invitation, setInvitation] = useState<Invitation>();
  const invite = async (): Promise<void> => {
    setBusy(true);
    try {
      setInvitation(await ops.post<Invitation>(`${pathOf(tenant)}/invite`));
    } catch (error) {
      toast(messageOf(error), true);
    }
    setBusy(false);
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={isBusy}
        aria-label={`${t('tenant.invite')}: ${tenant.name}`}
        onClick={() => void invite()}
      >
        {t('tenant.invite')}
      </Button>
      <Dialog opened={invitation !== undefined} onClose={() => setInvitation(undefined)} title={t('tenant.invite')}>
        {invitation && <InvitationWords {...invitation} />}
      </Dialog>
    </>
  );
}
