/** Prometheus Alertmanager: a line for each alert of a group, firing or resolved. */
import type { Integration } from '../integration';
import { Payload } from '../payload';

export const alertmanager: Integration = {
  name: 'alertmanager',
  client: 'ZulipAlertmanagerWebhook',
  format({ payload }) {
    const body = new Payload(payload);
    const alerts = body.list('alerts');
    const labels = body.has('groupLabels') ? body.object('groupLabels') : new Payload({});
    const [first] = alerts;
    const name = labels.textOr('alertname', first ? first.object('labels').textOr('alertname', 'alerts') : 'alerts');
    return { topic: name, content: alerts.map(line).join('\n') || 'No alerts.' };
  },
};

function line(alert: Payload): string {
  const state = alert.text('status') === 'resolved' ? ':squared_ok: **Resolved**' : ':alert: **FIRING**';
  const labels = alert.object('labels');
  const annotations = alert.has('annotations') ? alert.object('annotations') : new Payload({});
  const where = labels.textOr('instance', labels.textOr('job', labels.textOr('alertname', 'alert')));
  const what = annotations.textOr('description', annotations.textOr('summary', labels.textOr('alertname', '')));
  return `${state} [${where}](${alert.textOr('generatorURL', '')}): ${what}`;
}
