/** Bitbucket Cloud under the name of Zulip's second integration for it, so that migrated webhooks keep their URLs. */
import { bitbucket } from '../bitbucket/bitbucket';
import type { Integration } from '../integration';

export const bitbucket2: Integration = {
  ...bitbucket,
  name: 'bitbucket2',
  client: 'ZulipBitbucket2Webhook',
  decodesAddress: true,
};
