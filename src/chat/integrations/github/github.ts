/** GitHub: pushes, pull requests, issues, comments, reviews, checks, deployments and other repository events. */
import { byEvent, quote, type EventFormats } from '../git-text';
import type { Integration, Notice } from '../integration';
import { lookUp, type Payload } from '../payload';
import { linkTo } from '../text';
import { discussions } from './discussions';
import { about, commitLink, repositories, repository, repositoryUrl, sender } from './repositories';

function checkRun(body: Payload): Notice | null {
  const run = body.object('check_run');
  // A queued or running check is not reported.
  if (run.text('status') !== 'completed') return null;
  const sha = run.text('head_sha');
  const commit = commitLink(sha, `${repositoryUrl(body)}/commit/${sha}`);
  return {
    topic: `${repository(body)} / checks`,
    content: `Check [${run.text('name')}](${run.text('html_url')}) completed (${run.textOr('conclusion', 'unknown')}) on ${commit}.`,
  };
}

/** The state, with a link to the build's page if there is one. */
const stateLink = (of: Payload): string => linkTo(of.text('state'), of.textOr('target_url', ''));

const deploymentTopic = (body: Payload): string =>
  `${repository(body)} / Deployment on ${body.object('deployment').text('environment')}`;

const PAGE_BUILDS: Readonly<Record<string, string>> = {
  null: 'has yet to begin',
  building: 'has begun',
  built: 'has finished',
  errored: 'has failed',
};

function pageBuild(body: Payload): Notice {
  const build = body.object('build');
  const state = build.textOr('status', 'null');
  const error = build.objectOr('error').textOr('message', '');
  const said = `The GitHub Pages build triggered by ${build.object('pusher').text('login')} ${lookUp(PAGE_BUILDS, state) ?? `is ${state}`}`;
  return about(body, error === '' ? `${said}.` : `${said}:${quote(error)}`);
}

/** Automated reports: checks, commit statuses, deployments, page builds. */
const builds: EventFormats = {
  check_run: checkRun,
  status(body) {
    const commit = commitLink(body.text('sha'), body.object('commit').text('html_url'));
    return about(body, `${commit} changed its status to ${stateLink(body)}.`);
  },
  deployment: (body) => ({ topic: deploymentTopic(body), content: `${sender(body)} created a new deployment.` }),
  deployment_status: (body) => ({
    topic: deploymentTopic(body),
    content: `Deployment changed status to ${stateLink(body.object('deployment_status'))}.`,
  }),
  page_build: pageBuild,
};

/** Events that are not reported. */
const IGNORED = new Set([
  'check_suite',
  'label',
  'milestone',
  'organization',
  'project_card',
  'meta',
  'repository_vulnerability_alert',
]);

const format = byEvent('GitHub', { ...repositories, ...discussions, ...builds });

export const github: Integration = {
  name: 'github',
  client: 'ZulipGitHubWebhook',
  eventHeader: 'X-GitHub-Event',
  deliveryHeader: 'X-GitHub-Delivery',
  acceptsForms: true,
  format: (delivered) => (IGNORED.has(delivered.event) ? null : format(delivered)),
};
