/** What happens to a GitHub repository as a whole. */
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { isWanted, pushText, type Circumstances } from '../git-text';

const repository = (body: Payload): string => body.object('repository').text('name');
const sender = (body: Payload): string => body.object('sender').text('login');
const about = (body: Payload, content: string): Notice => ({ topic: repository(body), content });

function push(body: Payload, given: Circumstances): Notice | null {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(body.text('ref')) ?? [];
  const user = sender(body);
  const topic = `${repository(body)} / ${name}`;
  const compare = body.text('compare');
  if (kind === 'tags') return { topic, content: `${user} pushed tag ${name}.` };
  if (!isWanted(name, given)) return null;
  if (body.textOr('deleted', 'false') === 'true') return { topic, content: `${user} deleted the branch ${name}.` };
  const commits = body.list('commits').map((commit) => ({
    author: commit.object('author').textOr('username', commit.object('author').text('name')),
    sha: commit.text('id'),
    message: commit.text('message'),
    url: commit.text('url'),
  }));
  return { topic, content: pushText({ user, compareUrl: compare, branch: name, commits }) };
}

function release(body: Payload): Notice {
  const made = body.object('release');
  const [tag, url] = [made.text('tag_name'), made.text('html_url')];
  return about(
    body,
    `${sender(body)} ${body.text('action')} release [${made.textOr('name', tag)}](${url}) for tag ${tag}.`,
  );
}

export const repositories = {
  ping: (body: Payload) =>
    body.has('repository')
      ? about(body, `GitHub webhook has been successfully configured by ${sender(body)}.`)
      : { topic: 'GitHub', content: `GitHub webhook has been successfully configured by ${sender(body)}.` },
  push,
  release,
  create: (body: Payload) =>
    about(body, `${sender(body)} created ${body.text('ref_type')} ${body.textOr('ref', repository(body))}.`),
  delete: (body: Payload) => about(body, `${sender(body)} deleted ${body.text('ref_type')} ${body.text('ref')}.`),
  fork: (body: Payload) => {
    const forkee = body.object('forkee');
    return about(body, `${sender(body)} forked [${forkee.text('name')}](${forkee.text('html_url')}).`);
  },
  watch: (body: Payload) =>
    about(
      body,
      `${sender(body)} starred the repository [${repository(body)}](${body.object('repository').text('html_url')}).`,
    ),
  public: (body: Payload) =>
    about(
      body,
      `${sender(body)} made the repository [${repository(body)}](${body.object('repository').text('html_url')}) public.`,
    ),
} as const;
