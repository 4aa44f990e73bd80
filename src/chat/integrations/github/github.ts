/** GitHub: pushes, pull requests, issues, comments, reviews, checks, deployments and other repository events. */
import type { Circumstances } from '../git-text';
import { unknownEvent, type Formatted, type Integration } from '../integration';
import { lookUp, Payload } from '../payload';
import { builds } from './builds';
import { discussions } from './discussions';
import { people, repositories } from './repositories';

/** Events that are not reported. */
const IGNORED = new Set([
  'check_suite',
  'label',
  'milestone',
  'organization',
  'project_card',
  'meta',
  'repository_vulnerability_alert',
]);

type EventFormat = (body: Payload, given: Circumstances) => Formatted;

const formats: Readonly<Record<string, EventFormat>> = { ...repositories, ...discussions, ...builds, ...people };

export const github: Integration = {
  name: 'github',
  client: 'ZulipGitHubWebhook',
  eventHeader: 'X-GitHub-Event',
  deliveryHeader: 'X-GitHub-Delivery',
  acceptsForms: true,
  format({ payload, event, ...given }) {
    if (IGNORED.has(event)) return null;
    const format = lookUp(formats, event);
    if (!format) throw unknownEvent('GitHub', event);
    return format(new Payload(payload), given);
  },
};
