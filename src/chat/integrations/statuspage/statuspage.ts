/** Statuspage: incidents, and status changes of components. */
import type { Integration, Notice } from '../integration';
import { Payload, textAt } from '../payload';

export const statuspage: Integration = {
  name: 'statuspage',
  client: 'ZulipStatuspageWebhook',
  deliveryId(payload) {
    const component = textAt(payload, 'component_update', 'id');
    if (component !== '') return component;
    const update = ['incident', 'incident_updates', '0'];
    const id = textAt(payload, ...update, 'id');
    return id === '' ? '' : `${id}-${textAt(payload, ...update, 'updated_at')}`;
  },
  format({ payload }) {
    const body = new Payload(payload);
    const status = body.object('page').text('status_description');
    return body.has('component_update') ? ofComponent(body, status) : ofIncident(body.object('incident'), status);
  },
};

function ofIncident(incident: Payload, status: string): Notice {
  const name = incident.text('name');
  const [update] = incident.listOr('incident_updates');
  const said = update ? update.text('body') : incident.textOr('postmortem_body', '');
  const state = incident.text('status');
  return {
    topic: `${name}: ${status}`,
    content: `**${name}**:\n* State: **${state}**\n* Description: ${said}`,
  };
}

function ofComponent(body: Payload, status: string): Notice {
  const [name, update] = [body.object('component').text('name'), body.object('component_update')];
  const [before, after] = [update.text('old_status'), update.text('new_status')];
  return {
    topic: `${name}: ${status}`,
    content: `**${name}** has changed status from **${before}** to **${after}**.`,
  };
}
