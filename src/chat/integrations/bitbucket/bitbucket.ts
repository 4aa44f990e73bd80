/** Bitbucket's POST service, which came before its webhooks: pushes, as JSON in the form field `payload`. */
import { bitbucket2 } from '../bitbucket2/bitbucket2';
import { isWanted, pushText, type Circumstances } from '../git-text';
import type { Integration, Notice } from '../integration';
import { Payload } from '../payload';

export const bitbucket: Integration = {
  ...bitbucket2,
  name: 'bitbucket',
  client: 'ZulipBitbucketWebhook',
  acceptsForms: true,
  isEventOptional: true,
  format(delivered) {
    // Webhooks of Bitbucket Cloud have an event key, and are read under this name too.
    if (delivered.event !== '') return bitbucket2.format(delivered);
    return push(new Payload(delivered.payload), delivered);
  },
};

function push(body: Payload, given: Circumstances): Notice | null {
  const repository = body.object('repository');
  const [name, user, page] = [repository.text('name'), body.textOr('user', 'Someone'), pageOf(body, repository)];
  const commits = body.list('commits');
  // Nothing else is known about a push without commits.
  if (commits.length === 0) return { topic: name, content: `${user} [force pushed](${page}).` };
  // Only the last commit of a branch names it.
  const last = commits.findLast((commit) => commit.has('branch')) ?? commits.at(-1)!;
  const branch = last.text('branch');
  if (!isWanted(branch, given)) return null;
  const pushed = commits.map((commit) => ({
    author: commit.textOr('author', user),
    sha: commit.text('raw_node'),
    message: commit.text('message'),
    url: `${page}commits/${commit.text('raw_node')}`,
  }));
  const content = pushText({ user, branch, commits: pushed, isCut: body.isTrue('truncated') });
  return { topic: `${name} / ${branch}`, content };
}

/** The repository's page. Which of its two parts brings the slash between them varies. */
const pageOf = (body: Payload, repository: Payload): string =>
  `${body.text('canon_url').replace(/\/$/, '')}/${repository.text('absolute_url').replace(/^\//, '')}`;
