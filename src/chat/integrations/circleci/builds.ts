/** Builds, from CircleCI's retired webhooks in the project configuration. */
import { namesText } from '../git-text';
import type { Notice } from '../integration';
import { linkTo } from '../link-to';
import { lookUp } from '../look-up';
import type { Payload } from '../payload';

const ENDS: Readonly<Record<string, string>> = {
  success: 'has succeeded',
  fixed: 'was fixed',
  failed: 'has failed',
  canceled: 'was canceled',
};

export function buildNotice(build: Payload): Notice {
  const state = endOf(build);
  const branch = `on branch \`${build.textOr('branch', 'unknown')}\``;
  const details = detailsOf(build);
  const said = build.has('workflows')
    ? `Build ${linkOf(build)} of ${jobOf(build.object('workflows'))} ${branch} ${state}.`
    : `[Build](${build.text('build_url')}) triggered by ${build.textOr('username', 'somebody')} ${branch} ${state}.`;
  return { topic: build.text('reponame'), content: [said, ...details].join('\n') };
}

/** Says first whether the previous build failed as well. */
function endOf(build: Payload): string {
  const status = build.textOr('status', build.textOr('outcome', 'unknown'));
  const before = build.objectOr('previous').textOr('status', '');
  if (status === 'failed' && before === 'failed') return 'is still failing';
  return lookUp(ENDS, status) ?? `ended with status ${status}`;
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
  const [from, to] = [first.text('commit'), last.text('commit')];
  const short = [from, to].map((sha) => sha.slice(0, SHORT));
  if (commits.length === 1) return [`- **Commit:** ${commitLink(first)}`];
  // Only GitHub has a compare page for a range of commits.
  const range = build.textOr('vcs_type', build.objectOr('user').textOr('vcs_type', '')).includes('github')
    ? `[${short[0]} ... ${short[1]}](${build.text('vcs_url')}/compare/${from}...${to})`
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
