/** GitLab: pushes, merge requests, issues, comments, wiki pages, jobs, pipelines, releases and deployments. */
import type { Circumstances } from '../git-text';
import { unknownEvent, type Formatted, type Integration } from '../integration';
import { lookUp, Payload } from '../payload';
import { builds } from './builds';
import { discussions } from './discussions';
import { repositories } from './repositories';

type EventFormat = (body: Payload, given: Circumstances) => Formatted;

const formats: Readonly<Record<string, EventFormat>> = { ...repositories, ...discussions, ...builds };

/** A system hook names its event in the payload. */
const SYSTEM_EVENTS: Readonly<Record<string, string>> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  merge_request: 'Merge Request Hook',
};

export const gitlab: Integration = {
  name: 'gitlab',
  client: 'ZulipGitlabWebhook',
  eventHeader: 'X-Gitlab-Event',
  deliveryHeader: 'Idempotency-Key',
  causeHeader: 'X-Gitlab-Event-UUID',
  format({ payload, event, ...given }) {
    const body = new Payload(payload);
    const kind = event === 'System Hook' ? systemEvent(body) : event;
    // Confidential events have the same format; they are enabled separately in GitLab.
    const name = kind.replace(/^Confidential /, '');
    const format = lookUp(formats, name);
    if (!format) throw unknownEvent('Gitlab', kind);
    return format(body, given);
  },
};

function systemEvent(body: Payload): string {
  const name = body.textOr('event_name', body.textOr('object_kind', ''));
  return lookUp(SYSTEM_EVENTS, name) ?? `System Hook ${name}`;
}
