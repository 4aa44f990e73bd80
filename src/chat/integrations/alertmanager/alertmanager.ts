/** Prometheus Alertmanager: the firing and resolved alerts of a group. */
import { groupBy } from '../../../kernel/group';
import type { Integration } from '../integration';
import { Payload } from '../payload';
import { joined } from '../text';

/** The label for the topic and the fields for the description, unless the URL overrides them. */
const NAME = 'instance';
const DESCRIPTIONS = ['description', 'summary', 'alertname'];

export const alertmanager: Integration = {
  name: 'alertmanager',
  client: 'ZulipAlertmanagerWebhook',
  choices: ['name', 'desc'],
  format({ payload, event, isTopicGiven = false }) {
    const body = new Payload(payload);
    const choice = new URLSearchParams(event);
    const name = choice.get('name') ?? NAME;
    const description = choice.get('desc');
    const alerts = body
      .list('alerts')
      .map((alert) => read(alert, name, description === null ? DESCRIPTIONS : [description]));
    return [...groupBy(alerts, (alert) => alert.name)].map(([topic, some]) => ({
      topic,
      content: contentOf(some, isTopicGiven),
    }));
  },
};

interface Alert {
  readonly name: string;
  readonly isFiring: boolean;
  readonly text: string;
}

function read(alert: Payload, name: string, descriptions: readonly string[]): Alert {
  const places = [alert.objectOr('annotations'), alert.object('labels')];
  const find = (key: string) => places.find((place) => place.has(key))?.text(key);
  const described = descriptions.map(find).find((text) => text !== undefined && text !== '');
  // Links to the graph tab, not the table tab.
  const url = alert.textOr('generatorURL', '').replace('tab=1', 'tab=0');
  const text = described ?? `<missing field: ${descriptions.join(', ')}>`;
  return {
    name: find(name) ?? '(unknown)',
    isFiring: alert.text('status') !== 'resolved',
    text: url === '' ? text : `${text} ([graph](${url}))`,
  };
}

/** If the URL sets the topic, each alert is prefixed with its name. */
function contentOf(alerts: readonly Alert[], isNamed: boolean): string {
  const textsOf = (isFiring: boolean) =>
    alerts
      .filter((alert) => alert.isFiring === isFiring)
      .map(({ name, text }) => (isNamed ? `${name}: ${text}` : text));
  const firing = stateText(':alert: **FIRING**', textsOf(true));
  return joined([firing, stateText(':squared_ok: **Resolved**', textsOf(false))], '\n\n');
}

function stateText(state: string, texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return texts.length === 1 ? `${state} ${texts[0]}` : `${state}\n${texts.map((text) => `* ${text}`).join('\n')}`;
}
