/** The browser has a new address at its push service, of which the server must know. */
import { askChat, askPortal, isChat } from './server';

declare const self: ServiceWorkerGlobalScope;

export interface NewAddressEvent extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null;
}

const PATH = isChat ? '/push_devices' : '/push-devices';

export async function takeNewAddress({ oldSubscription: old }: NewAddressEvent): Promise<void> {
  const key = old?.options.applicationServerKey ?? (await serverKey());
  if (!key) return;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint = '', keys = {} } = (await self.registration.pushManager.subscribe(options)).toJSON();
  const address = { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
  // This browser knows the language best, until the page says in which one it is.
  await (isChat ? askChat(PATH, address) : askPortal(PATH, { ...address, language: self.navigator.language }));
}

/** Browsers need not say what the old address was. */
async function serverKey(): Promise<string | null | undefined> {
  const answer = await (isChat ? askChat(PATH) : askPortal(PATH));
  return answer?.ok === true ? ((await answer.json()) as { readonly public_key: string | null }).public_key : undefined;
}
