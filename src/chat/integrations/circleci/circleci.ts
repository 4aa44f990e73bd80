/** CircleCI: completed workflows and jobs, and the builds of its first webhooks. */
import { namesText } from '../git-text';
import { type Integration, type Notice, unknownEvent } from '../integration';
import { linkTo } from '../text';
import { lookUp, Payload, textAt } from '../payload';

const ENDS: Readonly<Record<string, string>> = {
  success: 'has succeeded',
  failed: 'has failed',
  canceled: 'was canceled',
};
const BUILD_ENDS = { ...ENDS, fixed: 'was fixed' };
const OTHER_ENDS = { ...ENDS, error: 'has failed to run', unauthorized: 'was not authorized' };

function buildNotice(build: Payload): Notice {
  const state = endOf(build);
  const branch = `on branch \`${build.textOr('branch', 'unknown')}\``;
  const said = build.has('workflows')
    ? `Build ${linkOf(build)} of ${jobOf(build.object('workflows'))} ${branch} ${state}.`
    : `[Build](${build.text('build_url')}) triggered by ${build.textOr('username', 'somebody')} ${branch} ${state}.`;
  return { topic: build.text('reponame'), content: [said, ...detailsOf(build)].join('\n') };
}

/** Says first whether the previous build failed as well. */
function endOf(build: Payload): string {
  const status = build.textOr('status', build.textOr('outcome', 'unknown'));
  const before = build.objectOr('previous').textOr('status', '');
  if (status === 'failed' && before === 'failed') return 'is still failing';
  return lookUp(BUILD_ENDS, status) ?? `ended with status ${status}`;
}

const linkOf = (build: Payload): string => `[#${build.text('build_num')}](${build.text('build_url')})`;

const jobOf = (workflows: Payload): string =>
  `\`${workflows.textOr('job_name', 'unknown')}\`/\`${workflows.textOr('workflow_name', 'unknown')}\``;

function detailsOf(build: Payload): string[] {
  const commits = build.listOr('all_commit_details');
  const [pull] = build.listOr('pull_requests');
  return [
    ...commitLines(build, commits),
    ...(pull ? [`- **Pull Request:** ${pull.text('url')}`] : []),
    ...peopleLines('Author', commits, 'author'),
    ...peopleLines('Committer', commits, 'committer'),
  ];
}

const SHORT = 10;

const commitLink = (commit: Payload): string =>
  linkTo(commit.text('commit').slice(0, SHORT), commit.textOr('commit_url', ''));

function commitLines(build: Payload, commits: readonly Payload[]): string[] {
  const [first, last] = [commits[0], commits.at(-1)];
  if (!first || !last) return [];
  if (commits.length === 1) return [`- **Commit:** ${commitLink(first)}`];
  const [from, to] = [first.text('commit'), last.text('commit')];
  // Only GitHub has a compare page for a range of commits.
  const range = build.textOr('vcs_type', build.objectOr('user').textOr('vcs_type', '')).includes('github')
    ? `[${from.slice(0, SHORT)} ... ${to.slice(0, SHORT)}](${build.text('vcs_url')}/compare/${from}...${to})`
    : `${commitLink(first)} ... ${commitLink(last)}`;
  return [`- **Commits (${commits.length}):** ${range}`];
}

/** Authors and committers have the same fields, prefixed with their role. */
function peopleLines(word: string, commits: readonly Payload[], role: string): string[] {
  const names = commits.flatMap((commit) => {
    const [name, login] = [commit.textOr(`${role}_name`, ''), commit.textOr(`${role}_login`, '')];
    return name === '' ? [] : [login === '' ? name : `${name} (${login})`];
  });
  const all = [...new Set(names)].sort();
  return all.length === 0 ? [] : [`- **${word}${all.length === 1 ? '' : 's'}:** ${namesText(all)}`];
}

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

function completed(body: Payload, type: string): Notice {
  const isJob = type === 'job-completed';
  const done = body.object(isJob ? 'job' : 'workflow');
  const status = done.text('status');
  const end = lookUp(OTHER_ENDS, status) ?? `ended with status ${status}`;
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
