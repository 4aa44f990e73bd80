/** Events about a GitHub repository as a whole and its people, and what all of GitHub's events have in common. */
import { type Circumstances, type EventFormats, isWanted, pushText } from '../git-text';
import type { Notice } from '../integration';
import { lookUp, type Payload } from '../payload';

export const repository = (body: Payload): string => body.object('repository').text('name');
export const repositoryUrl = (body: Payload): string => body.object('repository').text('html_url');
const repositoryLink = (body: Payload): string => `[${repository(body)}](${repositoryUrl(body)})`;
export const sender = (body: Payload): string => body.object('sender').text('login');

/** A notice with the repository's name as its topic. */
export const about = (body: Payload, content: string): Notice => ({ topic: repository(body), content });
const did = (body: Payload, action: string): Notice => about(body, `${sender(body)} ${action}.`);

const userLink = (user: Payload): string => `[${user.text('login')}](${user.text('html_url')})`;

export const commitLink = (sha: string, url: string): string => `[${sha.slice(0, 7)}](${url})`;

const MEMBER_VERBS: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  added: ['added', 'to'],
  removed: ['removed', 'from'],
  edited: ['changed the permissions of', 'on'],
};

function member(body: Payload): Notice {
  const action = body.text('action');
  const [verb, preposition] = lookUp(MEMBER_VERBS, action) ?? [action, 'to'];
  return did(body, `${verb} ${userLink(body.object('member'))} ${preposition} ${repositoryLink(body)}`);
}

function membership(body: Payload): Notice {
  const action = body.text('action');
  const preposition = action === 'removed' ? 'from' : 'to';
  const team = body.object('team').text('name');
  return {
    topic: `${body.object('organization').text('login')} organization`,
    content: `${sender(body)} ${action} ${userLink(body.object('member'))} ${preposition} the ${team} team.`,
  };
}

function push(body: Payload, given: Circumstances): Notice | null {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(body.text('ref')) ?? [];
  const user = sender(body);
  const isDeleted = body.isTrue('deleted');
  if (kind === 'tags') return did(body, `${isDeleted ? 'removed' : 'pushed'} tag ${name}`);
  if (!isWanted(name, given)) return null;
  const topic = `${repository(body)} / ${name}`;
  const compareUrl = body.text('compare');
  if (isDeleted) return { topic, content: `${user} [deleted](${compareUrl}) the branch ${name}.` };
  const commits = body.list('commits').map((commit) => ({
    author: commit.object('author').textOr('username', commit.object('author').text('name')),
    sha: commit.text('id'),
    message: commit.text('message'),
    url: commit.text('url'),
  }));
  return { topic, content: pushText({ user, compareUrl, branch: name, commits }) };
}

function release(body: Payload): Notice {
  const made = body.object('release');
  const [tag, url] = [made.text('tag_name'), made.text('html_url')];
  return did(body, `${body.text('action')} release [${made.textOr('name', tag)}](${url}) for tag ${tag}`);
}

/** The ping of an organisation's webhook has no repository. */
function ping(body: Payload): Notice {
  const content = `GitHub webhook has been successfully configured by ${sender(body)}.`;
  if (body.has('repository')) return about(body, content);
  return { topic: body.objectOr('organization').textOr('login', 'GitHub'), content };
}

function wikiPages(body: Payload): Notice {
  const pages = body
    .list('pages')
    .map((page) => `* ${page.text('action')} [${page.text('title')}](${page.text('html_url')})`);
  return { topic: `${repository(body)} / Wiki Pages`, content: `${sender(body)}:\n${pages.join('\n')}` };
}

export const repositories: EventFormats = {
  ping,
  push,
  release,
  gollum: wikiPages,
  create: (body) => did(body, `created ${body.text('ref_type')} ${body.textOr('ref', repository(body))}`),
  delete: (body) => did(body, `deleted ${body.text('ref_type')} ${body.text('ref')}`),
  fork(body) {
    const forkee = body.object('forkee');
    return did(body, `forked [${forkee.text('name')}](${forkee.text('html_url')})`);
  },
  public: (body) => did(body, `made the repository ${repositoryLink(body)} public`),
  repository: (body) => did(body, `${body.text('action')} the repository ${repositoryLink(body)}`),
  member,
  membership,
  team_add: (body) =>
    about(body, `[The repository](${repositoryUrl(body)}) was added to team ${body.object('team').text('name')}.`),
  watch: (body) => did(body, `starred the repository ${repositoryLink(body)}`),
  star(body) {
    const verb = body.text('action') === 'deleted' ? 'unstarred' : 'starred';
    return did(body, `${verb} the repository ${repositoryLink(body)}`);
  },
};
