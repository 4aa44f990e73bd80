/** Grafana: alerts, from unified alerting and from the older notification channels. */
import { groupBy } from '../../../kernel/group';
import { unknownEvent, type Formatted, type Integration, type Notice } from '../integration';
import { lookUp, Payload } from '../payload';
import { joined } from '../text';

export const grafana: Integration = {
  name: 'grafana',
  client: 'ZulipGrafanaWebhook',
  format({ payload }) {
    const body = new Payload(payload);
    if (body.has('alerts')) return ofUnified(body);
    if (body.has('ruleName')) return ofLegacy(body);
    if (body.has('state')) throw unknownEvent('Grafana', body.text('state'));
    // Neither format: report what is missing from the current one.
    return ofUnified(body);
  },
};

const paragraphs = (parts: readonly string[]): string => joined(parts, '\n\n');

/** For both formats. Other states get a neutral sign. */
const SIGNS: Readonly<Record<string, string>> = {
  alerting: ':alert:',
  ok: ':squared_ok:',
  firing: ':alert:',
  resolved: ':checkbox:',
};

const stateText = (state: string): string =>
  state === '' ? '' : `${lookUp(SIGNS, state) ?? ':info:'} **${state.replaceAll('_', ' ').toUpperCase()}**`;

function ofLegacy(body: Payload): Notice {
  const metrics = body
    .listOr('evalMatches')
    .map((match) => `**${match.text('metric')}:** ${match.textOr('value', 'null')}`);
  const image = body.textOr('imageUrl', '');
  return {
    topic: body.text('title'),
    content: paragraphs([
      stateText(body.textOr('state', '')),
      `[${body.text('ruleName')}](${body.text('ruleUrl')})`,
      body.textOr('message', ''),
      metrics.join('\n'),
      image === '' ? '' : `[Click to view visualization](${image})`,
    ]),
  };
}

/** Grafana groups by user-chosen labels, so one delivery may contain alerts of several rules. */
function ofUnified(body: Payload): Formatted {
  const alerts = body.list('alerts');
  if (alerts.length === 0)
    return { topic: body.textOr('title', 'Grafana'), content: body.textOr('message', 'No alerts.') };
  return [...groupBy(alerts, nameOf)].map(([name, some]) => ({
    topic: `[${name}]`,
    content: some.map(alertText).join('\n\n'),
  }));
}

const nameOf = (alert: Payload): string =>
  alert.objectOr('labels').textOr('alertname', alert.textOr('fingerprint', 'alert'));

function alertText(alert: Payload): string {
  const status = alert.text('status');
  const labels = alert.objectOr('labels');
  const ended = status === 'resolved' ? `This alert was resolved at ${alert.textOr('endsAt', '')}.` : '';
  return paragraphs([
    stateText(status),
    labels.has('alertname') ? `**${labels.text('alertname')}**` : '',
    `This alert was fired at ${alert.text('startsAt')}.`,
    ended,
    bulleted('Labels', labels),
    // Older releases write all values into one text.
    alert.has('values')
      ? bulleted('Values', alert.object('values'))
      : headed('Values', alert.textOr('valueString', '')),
    bulleted('Annotations', alert.objectOr('annotations')),
    linksOf(alert).join('\n'),
  ]);
}

const headed = (heading: string, text: string): string => (text === '' ? '' : `${heading}:\n${text}`);

function bulleted(heading: string, fields: Payload): string {
  const lines = fields.texts().map(([name, value]) => `- ${name}: ${value}`);
  return headed(heading, lines.join('\n'));
}

const LINKS = {
  Generator: 'generatorURL',
  Silence: 'silenceURL',
  Dashboard: 'dashboardURL',
  Panel: 'panelURL',
  Image: 'imageURL',
};

const linksOf = (alert: Payload): string[] =>
  Object.entries(LINKS).flatMap(([word, key]) => {
    const url = alert.textOr(key, '');
    return url === '' ? [] : [`[${word}](${url})`];
  });
