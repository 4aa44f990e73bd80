/** CircleCI: completed workflows and jobs, and the builds of its first webhooks. */
import { unknownEvent, type Integration, type Notice } from '../integration';
import { lookUp } from '../look-up';
import { Payload, textAt } from '../payload';
import { buildNotice } from './builds';

export const circleci: Integration = {
  name: 'circleci',
  client: 'ZulipCircleCIWebhook',
  deliveryId: (payload) => textAt(payload, 'id'),
  format({ payload }) {
    const body = new Payload(payload);
    if (body.has('payload')) return buildNotice(body.object('payload'));
    const type = body.text('type');
    if (type === 'ping') {
      const name = body.object('webhook').text('name');
      return { topic: 'Test event', content: `Webhook '${name}' test event successful.` };
    }
    if (type !== 'workflow-completed' && type !== 'job-completed') throw unknownEvent('CircleCI', type);
    return completed(body, type);
  },
};

const ENDS: Readonly<Record<string, string>> = {
  success: 'has succeeded',
  failed: 'has failed',
  error: 'has failed to run',
  canceled: 'was canceled',
  unauthorized: 'was not authorized',
};

function completed(body: Payload, type: string): Notice {
  const isJob = type === 'job-completed';
  const done = body.object(isJob ? 'job' : 'workflow');
  const status = done.text('status');
  const end = lookUp(ENDS, status) ?? `ended with status ${status}`;
  const name = `\`${done.text('name')}\``;
  const what = isJob ? `Job ${name}` : `Workflow [${name}](${done.text('url')})`;
  const pipeline = body.object('pipeline');
  return {
    topic: body.object('project').text('name'),
    content: `${what} within Pipeline #${pipeline.text('number')} ${end}.${triggerText(pipeline)}`,
  };
}

/** GitHub and Bitbucket pushes are described in `vcs`, GitLab pushes in the trigger parameters. */
function triggerText(pipeline: Payload): string {
  if (pipeline.has('vcs')) return ofVersions(pipeline.object('vcs'));
  const gitlab = pipeline.objectOr('trigger_parameters').objectOr('gitlab');
  if (!gitlab.has('commit_sha')) return '';
  const sha = gitlab.text('commit_sha');
  const link = `[\`${sha.slice(0, 7)}: ${gitlab.textOr('commit_title', '')}\`](${gitlab.text('web_url')}/-/commit/${sha})`;
  return `\n\nTriggered on ${link} on branch \`${gitlab.text('branch')}\` by ${gitlab.text('commit_author_name')}.`;
}

function ofVersions(vcs: Payload): string {
  const sha = vcs.text('revision');
  const folder = vcs.textOr('provider_name', 'github') === 'bitbucket' ? 'commits' : 'commit';
  const url = `${vcs.text('target_repository_url')}/${folder}/${sha}`;
  const where = vcs.has('tag') ? `tag \`${vcs.text('tag')}\`` : `branch \`${vcs.textOr('branch', 'unknown')}\``;
  const commit = vcs.objectOr('commit');
  // Started manually or by a tag, so there is no commit.
  if (!commit.has('subject')) return `\n\nTriggered on [\`${sha.slice(0, 7)}\`](${url}) on ${where}.`;
  const by = commit.objectOr('author').textOr('name', 'somebody');
  return `\n\nTriggered on [\`${sha.slice(0, 7)}: ${commit.text('subject')}\`](${url}) on ${where} by ${by}.`;
}
