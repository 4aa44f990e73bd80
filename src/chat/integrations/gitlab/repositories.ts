/** Events about a GitLab project as a whole. */
import { type Circumstances, type EventFormats, isWanted, pushText } from '../git-text';
import type { Notice } from '../integration';
import { lookUp, type Payload } from '../payload';

const about = (body: Payload, content: string): Notice => ({ topic: projectName(body), content });
const nameOf = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, '');
/** GitLab writes zeros for a commit that does not exist. */
const isGone = (body: Payload): boolean => /^0+$/.test(body.text('after'));
/** For a removed tag, `after` may still name its commit, but `checkout_sha` is absent. */
const isTagGone = (body: Payload): boolean => isGone(body) || !body.has('checkout_sha');

function push(body: Payload, given: Circumstances): Notice | null {
  const branch = nameOf(body.text('ref'));
  if (!isWanted(branch, given)) return null;
  const user = userName(body);
  const topic = `${projectName(body)} / ${branch}`;
  if (isGone(body)) return { topic, content: `${user} deleted branch ${branch}.` };
  const compareUrl = `${projectUrl(body)}/compare/${body.text('before')}...${body.text('after')}`;
  const commits = body.list('commits').map((commit) => ({
    author: commit.object('author').text('name'),
    sha: commit.text('id'),
    message: commit.text('message'),
    url: commit.text('url'),
  }));
  const total = Number(body.textOr('total_commits_count', ''));
  // A new branch may have no commits of its own, or list fewer than it counts.
  const counted = Number.isSafeInteger(total) && total > commits.length ? { total } : {};
  return { topic, content: pushText({ user, compareUrl, branch, commits, ...counted }) };
}

const VERBS = { create: 'created', delete: 'deleted' };

function wikiPage(body: Payload): Notice {
  const page = body.object('object_attributes');
  const verb = lookUp(VERBS, page.text('action')) ?? 'updated';
  return about(body, `${userName(body)} ${verb} [Wiki Page "${page.text('title')}"](${page.text('url')}).`);
}

function release(body: Payload): Notice {
  const verb = lookUp(VERBS, body.text('action')) ?? 'updated';
  const link = `[${body.textOr('name', body.text('tag'))}](${body.text('url')})`;
  return about(body, `Release ${link} for tag ${body.text('tag')} was ${verb}.`);
}

export const repositories: EventFormats = {
  'Push Hook': push,
  'Tag Push Hook': (body) =>
    about(body, `${userName(body)} ${isTagGone(body) ? 'removed' : 'pushed'} tag ${nameOf(body.text('ref'))}.`),
  'Wiki Page Hook': wikiPage,
  'Release Hook': release,
  'Test Hook': (body) => about(body, `Webhook for **${projectName(body)}** has been configured successfully! :tada:`),
};

/** The project of an event. GitLab has moved these fields over the years. */
export function projectName(body: Payload): string {
  if (body.has('project')) return body.object('project').text('name');
  if (body.has('repository')) return body.object('repository').text('name');
  return body.text('project_name');
}

export function projectUrl(body: Payload): string {
  if (body.has('project')) {
    const project = body.object('project');
    return project.textOr('web_url', project.textOr('homepage', ''));
  }
  return body.object('repository').text('homepage');
}

export const userName = (body: Payload): string =>
  body.has('user') ? body.object('user').text('name') : body.text('user_name');
