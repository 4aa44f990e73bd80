/** The user's own status. */
import { Select } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';

interface UserStatus {
  readonly main_status: { readonly status: string };
}

const STATUSES = ['available', 'away', 'do_not_disturb', 'in_a_meeting', 'lunch', 'holiday'] as const;
const isListed = (status: string): status is (typeof STATUSES)[number] => STATUSES.some((each) => each === status);

export function Status() {
  const { contact_id: ownId } = useSignedIn();
  const own = useLoaded('status', () => api.list<UserStatus>('/statuses/v2/users', { user_id: ownId }));
  const status = own.value?.items[0]?.main_status.status ?? '';
  const set = async (wanted: string): Promise<void> => {
    await api.patch('/status/v2/current-user', { main_status: { status: wanted } });
    await own.reload();
  };
  return (
    <Select
      size="xs"
      w={170}
      aria-label={t('portal.ownStatus')}
      placeholder={t('portal.ownStatus')}
      data={STATUSES.map((value) => ({ value, label: t(`portal.status.${value}`) }))}
      value={isListed(status) ? status : null}
      allowDeselect={false}
      onChange={(value) => value !== null && tell(set(value))}
    />
  );
}
