/** All integrations, by the name in their URL. Each has its own folder: see CONTRIBUTING. */
import { alertmanager } from './alertmanager/alertmanager';
import { bitbucket } from './bitbucket/bitbucket';
import { bitbucket2 } from './bitbucket2/bitbucket2';
import { bitbucket3 } from './bitbucket3/bitbucket3';
import { circleci } from './circleci/circleci';
import { github } from './github/github';
import { gitlab } from './gitlab/gitlab';
import { grafana } from './grafana/grafana';
import { helloworld } from './helloworld/helloworld';
import type { Integration } from './integration';
import { jira } from './jira/jira';
import { newrelic } from './newrelic/newrelic';
import { opsgenie } from './opsgenie/opsgenie';
import { pagerduty } from './pagerduty/pagerduty';
import { ifttt, json, zapier } from './plain';
import { sentry } from './sentry/sentry';
import { slackIncoming } from './slack_incoming/slack-incoming';
import { statuspage } from './statuspage/statuspage';
import { stripe } from './stripe/stripe';
import { travis } from './travis/travis';
import { uptimerobot } from './uptimerobot/uptimerobot';

const all: readonly Integration[] = [
  alertmanager,
  bitbucket,
  bitbucket2,
  bitbucket3,
  circleci,
  github,
  gitlab,
  grafana,
  helloworld,
  ifttt,
  jira,
  json,
  newrelic,
  opsgenie,
  pagerduty,
  sentry,
  slackIncoming,
  statuspage,
  stripe,
  travis,
  uptimerobot,
  zapier,
];

export const integrations: ReadonlyMap<string, Integration> = new Map(all.map((each) => [each.name, each]));
