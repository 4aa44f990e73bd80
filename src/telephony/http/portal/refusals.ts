/** What the routes of the portal may refuse, for the OpenAPI document. */
import { Fault } from '../../../kernel/fault';
import type { RouteFacts } from '../../../kernel/http/route';
import { badCredentials, otherOrigin } from '../../../kernel/page-faults';
import * as webhooks from '../../model/company-webhook';
import * as faults from '../../model/faults';
import * as portal from '../../model/portal-faults';
import * as templates from '../../model/text-template';

const busy = () => new Fault('unavailable', 'The server is busy or restarting; try again');

const WEBHOOK = [faults.notOwner(), webhooks.noWebhook()];

const OWN: Readonly<Record<string, readonly Fault[]>> = {
  'get /session': [otherOrigin()],
  'post /session': [
    badCredentials(),
    portal.wrongKey(),
    portal.keyMayNotEnter(),
    portal.linkUsed(),
    portal.nothingShown(),
    portal.notADevelopmentServer(),
    otherOrigin(),
  ],
  'delete /sessions/:session_id': [portal.noSuchSession()],
  'post /entry-links': [portal.mailIsOff(), otherOrigin()],
  'put /password': [
    portal.notByKey(),
    portal.wrongOldPassword(),
    portal.passwordTooWeak(),
    portal.passwordTooLong(1000),
  ],
  'get /keys': [faults.notOwner()],
  'post /keys': [faults.notOwner(), portal.tooManyKeys(100)],
  'delete /keys/:key_id': [faults.notOwner(), portal.noKey()],
  'get /instances/:instance_uuid/standings': [faults.noInstance()],
  'post /text-templates': [templates.templateKnown(), templates.tooManyTemplates()],
  'delete /text-templates/:template_id': [templates.noTemplate()],
  'get /webhooks': [faults.notOwner()],
  'post /webhooks': [faults.notOwner(), webhooks.tooManyWebhooks()],
  'patch /webhooks/:webhook_id': WEBHOOK,
  'delete /webhooks/:webhook_id': WEBHOOK,
  'post /webhooks/:webhook_id/test': WEBHOOK,
  'get /webhooks/:webhook_id/deliveries': WEBHOOK,
  'post /webhooks/:webhook_id/deliveries/:delivery_id/replay': [...WEBHOOK, webhooks.noDelivery()],
  'post /contacts/:contact_id/letters': [faults.notOwner(), faults.noContact(), portal.mailIsOff()],
};

export const portalRefusals = ({ method, path, refuses }: RouteFacts): readonly Fault[] => [
  ...refuses,
  ...(OWN[`${method} ${path}`] ?? []),
  busy(),
];
