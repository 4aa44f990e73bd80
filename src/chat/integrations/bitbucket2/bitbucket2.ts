/** Bitbucket Cloud: pushes, pull requests, issues, comments, builds and other repository events. */
import type { Circumstances } from '../git-text';
import { unknownEvent, type Formatted, type Integration } from '../integration';
import { lookUp } from '../look-up';
import { Payload } from '../payload';
import { discussions } from './discussions';
import { repositories } from './repositories';

export type EventFormat = (body: Payload, given: Circumstances) => Formatted;

const formats: Readonly<Record<string, EventFormat>> = { ...repositories, ...discussions };

export const bitbucket2: Integration = {
  name: 'bitbucket2',
  client: 'ZulipBitbucket2Webhook',
  eventHeader: 'X-Event-Key',
  deliveryHeader: 'X-Request-UUID',
  decodesAddress: true,
  format({ payload, event, ...given }) {
    const format = lookUp(formats, event);
    if (!format) throw unknownEvent('BitBucket', event);
    return format(new Payload(payload), given);
  },
};
