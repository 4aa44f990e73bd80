/** What stands behind the @ in the addresses of bots: the organisation's host, where that is a name. */
import { isIP } from 'node:net';
import type { Realm } from '../model/realm';
import type { ChatSettings } from '../settings';

/** Reserved: nobody's mail ever goes there. */
const NOWHERE = 'partyline.invalid';

export function findBotDomain({ publicUrl }: Pick<ChatSettings, 'publicUrl'>, realm: Pick<Realm, 'subdomain'>): string {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const domain = isIP(host) > 0 || !host.includes('.') ? NOWHERE : host;
  return realm.subdomain === '' ? domain : `${realm.subdomain}.${domain}`;
}
