/** How the chat speaks of devices with its server. */
import { api } from '../../shared/http/request';
import type { PushApi, PushDevices } from '../../shared/push/push-device';

export const pushApi: PushApi = {
  scope: '/',
  list: () => api.get<PushDevices>('/push_devices'),
  add: (address) => api.post('/push_devices', { ...address }),
  remove: (id) => api.remove(`/push_devices/${id}`),
  test: (id) => api.post(`/push_devices/${id}/test`),
};
