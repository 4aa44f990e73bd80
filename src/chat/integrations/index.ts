/** The integrations this server has, by the name in their address. A folder of its own for each: see CONTRIBUTING. */
import { alertmanager } from './alertmanager/alertmanager';
import { github } from './github/github';
import { gitlab } from './gitlab/gitlab';
import { helloworld } from './helloworld/helloworld';
import { ifttt } from './ifttt/ifttt';
import type { Integration } from './integration';
import { json } from './json/json';
import { slackIncoming } from './slack_incoming/slack-incoming';
import { zapier } from './zapier/zapier';

const all: readonly Integration[] = [alertmanager, github, gitlab, helloworld, ifttt, json, slackIncoming, zapier];

export const integrations: ReadonlyMap<string, Integration> = new Map(all.map((each) => [each.name, each]));
