/** The integrations this server has, by the name in their address. A folder of its own for each: see CONTRIBUTING. */
import { alertmanager } from './alertmanager/alertmanager';
import { github } from './github/github';
import { gitlab } from './gitlab/gitlab';
import { grafana } from './grafana/grafana';
import { helloworld } from './helloworld/helloworld';
import { ifttt } from './ifttt/ifttt';
import type { Integration } from './integration';
import { jira } from './jira/jira';
import { json } from './json/json';
import { sentry } from './sentry/sentry';
import { slackIncoming } from './slack_incoming/slack-incoming';
import { zapier } from './zapier/zapier';

const all: readonly Integration[] = [
  alertmanager,
  github,
  gitlab,
  grafana,
  helloworld,
  ifttt,
  jira,
  json,
  sentry,
  slackIncoming,
  zapier,
];

export const integrations: ReadonlyMap<string, Integration> = new Map(all.map((each) => [each.name, each]));
