/** Bitbucket Server and Data Center: pushes, pull requests, comments and other repository events. */
import type { Circumstances } from '../git-text';
import { unknownEvent, type Formatted, type Integration } from '../integration';
import { lookUp } from '../look-up';
import { Payload } from '../payload';
import { pullRequests } from './pull-requests';
import { repositories } from './repositories';

const formats: Readonly<Record<string, (body: Payload, given: Circumstances) => Formatted>> = {
  ...repositories,
  ...pullRequests,
};

export const bitbucket3: Integration = {
  name: 'bitbucket3',
  client: 'ZulipBitbucket3Webhook',
  eventHeader: 'X-Event-Key',
  eventField: 'eventKey',
  decodesAddress: true,
  format({ payload, event, ...given }) {
    const format = lookUp(formats, event);
    if (!format) throw unknownEvent('BitBucket Server', event);
    return format(new Payload(payload), given);
  },
};
