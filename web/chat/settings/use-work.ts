/** Runs a change on the server, with a busy state and a toast for the result. */
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';

export function useWork() {
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>, done = t('settings.saved')): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      if (done !== '') toast(done);
      return true;
    } catch (error) {
      toast(messageOf(error), true);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run };
}
