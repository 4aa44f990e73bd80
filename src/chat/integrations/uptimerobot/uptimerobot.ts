/** UptimeRobot: monitors that go down and come back up. */
import { unknownEvent, type Integration } from '../integration';
import { Payload, textAt } from '../payload';

/** UptimeRobot sends `own`. Hand-written payloads, as on Zulip's help page, use `written`. */
const either = (body: Payload, own: string, written: string): string =>
  body.has(own) ? body.text(own) : body.text(written);

export const uptimerobot: Integration = {
  name: 'uptimerobot',
  client: 'ZulipUptimeRobotWebhook',
  acceptsForms: true,
  acceptsQuery: true,
  deliveryId(payload) {
    const at = textAt(payload, 'alertDateTime');
    return at === '' ? '' : `${textAt(payload, 'monitorID')}-${textAt(payload, 'alertType')}-${at}`;
  },
  format({ payload }) {
    const body = new Payload(payload);
    const name = either(body, 'monitorFriendlyName', 'monitor_friendly_name');
    const state = either(body, 'alertTypeFriendlyName', 'alert_type_friendly_name');
    const url = either(body, 'monitorURL', 'monitor_url');
    const details = either(body, 'alertDetails', 'alert_details');
    const monitor = `${name} (${url})`;
    switch (state.toLowerCase()) {
      case 'up': {
        const lasted = durationOf(body);
        const since = lasted === '' ? '' : `\nIt was down for ${lasted}.`;
        return { topic: name, content: `${monitor} is back UP (${details}).${since}` };
      }
      case 'down':
        return { topic: name, content: `${monitor} is DOWN (${details}).` };
      case 'ssl expiry':
        return { topic: name, content: `The SSL certificate of ${monitor} is about to expire (${details}).` };
      default:
        throw unknownEvent('UptimeRobot', state);
    }
  },
};

/** In words if the payload has them, otherwise in seconds. */
function durationOf(body: Payload): string {
  if (body.has('alert_friendly_duration')) return body.text('alert_friendly_duration');
  if (body.has('alertFriendlyDuration')) return body.text('alertFriendlyDuration');
  return body.has('alertDuration') ? `${body.text('alertDuration')} seconds` : '';
}
