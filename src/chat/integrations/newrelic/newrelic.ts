/** New Relic: issues of its workflows, incidents of its older alerts, and deployments of its first webhooks. */
import { quote } from '../git-text';
import type { Integration, Notice } from '../integration';
import { entryOf, Payload, textAt } from '../payload';
import { isoOf } from '../text';

export const newrelic: Integration = {
  name: 'newrelic',
  client: 'ZulipNewRelicWebhook',
  acceptsForms: true,
  deliveryId(payload) {
    const issue = textAt(payload, 'id');
    if (issue !== '')
      return ['state', 'trigger', 'updatedAt'].reduce((id, key) => `${id}-${textAt(payload, key)}`, issue);
    const incident = textAt(payload, 'incident_id');
    return incident === '' ? '' : `${incident}-${textAt(payload, 'current_state')}-${textAt(payload, 'timestamp')}`;
  },
  format({ payload }) {
    const body = new Payload(payload);
    if (body.has('alert')) return ofAlert(parsed(body, 'alert'));
    if (body.has('deployment')) return ofDeployment(parsed(body, 'deployment'));
    if (body.has('issueUrl')) return ofIssue(body);
    return ofIncident(body);
  },
};

const INCIDENT_STATES: Readonly<Record<string, string>> = {
  open: 'opened',
  acknowledged: 'acknowledged',
  closed: 'closed',
};

function ofIncident(body: Payload): Notice {
  const state = body.text('current_state');
  const verb = entryOf(INCIDENT_STATES, state, 'NewRelic');
  const by = verb === 'acknowledged' ? ` by **${body.textOr('owner', 'unknown')}**` : '';
  const at = verb === 'opened' ? ` at ${isoOf(body.text('timestamp'))}` : '';
  const link = `[Incident](${body.text('incident_url')})`;
  const said = `${link} **${verb}**${by} for condition: **${body.text('condition_name')}**${at}`;
  const details = body.textOr('details', 'No details.');
  return {
    topic: `${body.text('policy_name')} (${body.text('incident_id')})`,
    content: verb === 'opened' ? said + quote(details) : said,
  };
}

const ISSUE_STATES: Readonly<Record<string, string>> = {
  CREATED: 'created',
  ACTIVATED: 'active',
  ACKNOWLEDGED: 'acknowledged',
  CLOSED: 'closed',
};

/** In the format of New Relic's webhook template. */
function ofIssue(body: Payload): Notice {
  const state = body.text('state');
  const verb = entryOf(ISSUE_STATES, state, 'NewRelic');
  const conditions = body.has('alertConditionNames') ? body.joined('alertConditionNames') : '';
  const policies = body.has('alertPolicyNames') ? body.joined('alertPolicyNames') : '';
  const by = verb === 'acknowledged' && body.has('owner') ? ` by **${body.text('owner')}**` : '';
  const about = conditions === '' ? '' : ` for condition: **${conditions}**`;
  const at = verb === 'active' ? ` at ${isoOf(body.text('createdAt'))}` : '';
  const said = `[Issue](${body.text('issueUrl')}) **${verb}**${by}${about}${at}`;
  return {
    topic: `${policies === '' ? 'New Relic' : policies} (${body.text('id')})`,
    content: verb === 'closed' || verb === 'acknowledged' ? said : said + quote(body.joined('title')),
  };
}

/** The first webhooks were forms with JSON fields. */
function parsed(body: Payload, key: string): Payload {
  try {
    return new Payload(JSON.parse(body.text(key)), key);
  } catch {
    return body.object(key);
  }
}

function ofAlert(alert: Payload): Notice {
  const topic = alert.text('message');
  return { topic, content: `${alert.text('long_description')} ([view alert](${alert.text('alert_url')})).` };
}

function ofDeployment(deployment: Payload): Notice {
  const description = deployment.textOr('description', '');
  const changes = deployment.textOr('changelog', '');
  const said = `**${deployment.text('revision')}** deployed by **${deployment.text('deployed_by')}**`;
  const changelog = changes === '' ? '' : `\n\nChangelog:${quote(changes)}`;
  return {
    topic: `${deployment.text('application_name')} deploy`,
    content: `${said}${description === '' ? '.' : `:${quote(description)}`}${changelog}`,
  };
}
