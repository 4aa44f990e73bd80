/** How the portal speaks of devices with its server. */
import type { PushApi, PushDevice, PushDevices } from '../../shared/push/push-device';
import { useLanguage } from '../../shared/texts/texts';
import { api } from '../http/api';

const PATH = '/portal/api/push-devices';

interface Listed {
  readonly public_key: string | null;
  readonly devices: readonly (Omit<PushDevice, 'seen_at'> & { readonly seen_at: string })[];
}

async function list(): Promise<PushDevices> {
  const { devices, ...rest } = await api.get<Listed>(PATH);
  return { ...rest, devices: devices.map((each) => ({ ...each, seen_at: Date.parse(each.seen_at) / 1000 })) };
}

export const pushApi: PushApi = {
  scope: '/portal',
  list,
  /** The server keeps no language of a contact. */
  add: (address) => api.post(PATH, { ...address, language: useLanguage.getState().name }),
  remove: (id) => api.remove(`${PATH}/${id}`),
  test: (id) => api.post(`${PATH}/${id}/test`),
};
