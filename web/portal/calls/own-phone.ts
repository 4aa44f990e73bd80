/** The telephone of whoever has signed in, with which a click calls: their first extension on a PBX that begins calls. */
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../http/api';
import { useSignedIn } from '../session/session';
import type { Extension } from '../wire';

interface OwnPhone {
  /** Whose it is: another person may sign in on this page. */
  readonly of: string;
  readonly extension: Extension | undefined;
}

const usePhone = create<OwnPhone>(() => ({ of: '', extension: undefined }));

async function load(of: string): Promise<void> {
  usePhone.setState({ of, extension: undefined });
  const { items } = await api.list<Extension>(`/account/${of}/extensions`);
  for (const extension of items) {
    const detail = await api.get<{ click_to_call: boolean }>(`/instances/${extension.pbx}`);
    if (!detail.click_to_call) continue;
    if (usePhone.getState().of === of) usePhone.setState({ extension });
    return;
  }
}

/** Undefined for people without a telephone, and until it is known. */
export function useOwnPhone(): Extension | undefined {
  const { contact_id: ownId } = useSignedIn();
  const { of, extension } = usePhone();
  useEffect(() => {
    // Without it there is only no button.
    if (usePhone.getState().of !== ownId) load(ownId).catch(() => undefined);
  }, [ownId]);
  return of === ownId ? extension : undefined;
}
