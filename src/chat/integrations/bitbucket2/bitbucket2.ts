/** Bitbucket Cloud under the name that Zulip gave its second integration for it: webhooks that move keep their address. */
import { bitbucket } from '../bitbucket/bitbucket';
import type { Integration } from '../integration';

export const bitbucket2: Integration = {
  ...bitbucket,
  name: 'bitbucket2',
  client: 'ZulipBitbucket2Webhook',
  decodesAddress: true,
};
