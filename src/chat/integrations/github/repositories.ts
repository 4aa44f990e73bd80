/** Events about a GitHub repository as a whole. */
import { isWanted, pushText, type Circumstances } from '../git-text';
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { about, repository, repositoryUrl, sender } from './entities';

function push(body: Payload, given: Circumstances): Notice | null {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(body.text('ref')) ?? [];
  const user = sender(body);
  const isDeleted = body.isTrue('deleted');
  if (kind === 'tags') return about(body, `${user} ${isDeleted ? 'removed' : 'pushed'} tag ${name}.`);
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
  return about(
    body,
    `${sender(body)} ${body.text('action')} release [${made.textOr('name', tag)}](${url}) for tag ${tag}.`,
  );
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

export const repositories = {
  ping,
  push,
  release,
  gollum: wikiPages,
  create: (body: Payload) =>
    about(body, `${sender(body)} created ${body.text('ref_type')} ${body.textOr('ref', repository(body))}.`),
  delete: (body: Payload) => about(body, `${sender(body)} deleted ${body.text('ref_type')} ${body.text('ref')}.`),
  fork: (body: Payload) => {
    const forkee = body.object('forkee');
    return about(body, `${sender(body)} forked [${forkee.text('name')}](${forkee.text('html_url')}).`);
  },
  public: (body: Payload) =>
    about(body, `${sender(body)} made the repository [${repository(body)}](${repositoryUrl(body)}) public.`),
  repository: (body: Payload) =>
    about(body, `${sender(body)} ${body.text('action')} the repository [${repository(body)}](${repositoryUrl(body)}).`),
} as const;
