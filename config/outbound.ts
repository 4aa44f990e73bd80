/** Requests of this server to URLs that users supply: link previews and outgoing webhooks. */
import { addresses, networks, variable } from './kinds';

export const outbound = {
  outboundNetworks: variable(
    'OUTBOUND_NETWORKS',
    networks,
    [],
    'Networks that link previews, outgoing webhooks and OpenID may reach although they are not public, such as `10.1.0.0/16`.',
  ),
  outboundHosts: variable(
    'OUTBOUND_HOSTS',
    addresses,
    {},
    'Addresses of hosts that link previews, outgoing webhooks and OpenID do not ask DNS for; still only public or listed ones.',
  ),
} as const;
