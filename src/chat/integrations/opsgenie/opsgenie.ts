/** Opsgenie: alerts, and actions on them. */
import type { Integration } from '../integration';
import { Payload, textAt } from '../payload';

export const opsgenie: Integration = {
  name: 'opsgenie',
  client: 'ZulipOpsGenieWebhook',
  /** The alert's `updatedAt` changes with each action. */
  deliveryId(payload) {
    const changed = textAt(payload, 'alert', 'updatedAt');
    return changed === '' ? '' : `${textAt(payload, 'alert', 'alertId')}-${textAt(payload, 'action')}-${changed}`;
  },
  format({ payload }) {
    const body = new Payload(payload);
    const [name, action, alert] = [body.text('integrationName'), body.text('action'), body.object('alert')];
    const tags = alert.textsOr('tags').map((tag) => `\`${tag}\``);
    const facts = {
      Type: action,
      Note: alert.textOr('note', ''),
      Recipient: alert.textOr('recipient', ''),
      'Tags added': alert.textOr('addedTags', ''),
      // Every alert has a team; only here is it news.
      'Team added': action === 'AddTeam' ? alert.textOr('team', '') : '',
      'Assigned owner': action === 'AssignOwnership' ? alert.textOr('owner', '') : '',
      // Older integrations name it outside the alert.
      Escalation: body.textOr('escalationName', body.objectOr('escalation').textOr('name', '')),
      'Tags removed': alert.textOr('removedTags', ''),
      Message: alert.textOr('message', ''),
      Priority: alert.textOr('priority', ''),
      Tags: tags.join(', '),
    };
    const lines = Object.entries(facts)
      .filter(([, value]) => value !== '')
      .map(([fact, value]) => `* **${fact}**: ${value}`);
    const page = `https://app.opsgenie.com/alert/V2#/show/${alert.text('alertId')}`;
    return { topic: name, content: `[OpsGenie Alert for ${name}](${page}):\n${lines.join('\n')}` };
  },
};
