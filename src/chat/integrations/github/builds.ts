/** Automated reports about a GitHub repository: checks, commit statuses, deployments, page builds. */
import { quote } from '../git-text';
import type { Notice } from '../integration';
import { lookUp, type Payload } from '../payload';
import { about, commitLink, repository, repositoryUrl, sender } from './repositories';

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
function stateLink(of: Payload): string {
  const [state, url] = [of.text('state'), of.textOr('target_url', '')];
  return url === '' ? state : `[${state}](${url})`;
}

function status(body: Payload): Notice {
  const commit = commitLink(body.text('sha'), body.object('commit').text('html_url'));
  return about(body, `${commit} changed its status to ${stateLink(body)}.`);
}

const deploymentTopic = (body: Payload): string =>
  `${repository(body)} / Deployment on ${body.object('deployment').text('environment')}`;

const deployment = (body: Payload): Notice => ({
  topic: deploymentTopic(body),
  content: `${sender(body)} created a new deployment.`,
});

const deploymentStatus = (body: Payload): Notice => ({
  topic: deploymentTopic(body),
  content: `Deployment changed status to ${stateLink(body.object('deployment_status'))}.`,
});

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

export const builds = {
  check_run: checkRun,
  status,
  deployment,
  deployment_status: deploymentStatus,
  page_build: pageBuild,
} as const;
