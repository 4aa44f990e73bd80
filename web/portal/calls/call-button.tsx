/** Calls a number with one's own telephone, which rings first. Not shown to people who have none. */
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { toast } from '../../shared/ui/toasts';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { useOwnPhone } from './own-phone';

export function CallButton({ number }: { number: string | number }) {
  const phone = useOwnPhone();
  const [isBusy, setBusy] = useState(false);
  if (!phone || String(number) === '' || phone.data.id === Number(number)) return null;
  const call = async (): Promise<void> => {
    setBusy(true);
    try {
      const path = `/instances/${phone.pbx}/extensions/${phone._id}/calls`;
      await api.post(path, { to: String(number) }, PBX_DEADLINE_MS);
      toast(t('portal.calling', { number }));
    } catch (error) {
      toast(messageOf(error), true);
    }
    setBusy(false);
  };
  return (
    <IconButton icon="phone" label={t('portal.callNumber', { number })} disabled={isBusy} onClick={() => void call()} />
  );
}
