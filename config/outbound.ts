/** Requests of this server to URLs that users supply: link previews, outgoing webhooks and push notifications. */
import { addresses, choice, ms, networks, variable } from './kinds';

export const outbound = {
  outboundNetworks: variable(
    'OUTBOUND_NETWORKS',
    networks,
    [],
    'Networks that link previews, outgoing webhooks, OpenID and push notifications may reach although they are not public, such as `10.1.0.0/16`.',
  ),
  outboundHosts: variable(
    'OUTBOUND_HOSTS',
    addresses,
    {},
    'Addresses of hosts that link previews, outgoing webhooks, OpenID and push notifications do not ask DNS for; still only public or listed ones.',
  ),
  push: variable(
    'PUSH',
    choice('on', 'off'),
    'on',
    'Push notifications (Web Push) to devices that people add. Off: nothing is sent to push services.',
  ),
  pushPauseMs: ms(
    'PUSH_PAUSE_MS',
    5000,
    'The least time between the push notifications to one device; what comes meanwhile goes together.',
  ),
} as const;
