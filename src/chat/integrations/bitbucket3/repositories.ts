/** Events about a Bitbucket Server repository as a whole. */
import { isWanted, withQuote, type Circumstances } from '../git-text';
import { unknownEvent, type Notice } from '../integration';
import { linkTo } from '../link-to';
import { lookUp } from '../look-up';
import type { Payload } from '../payload';
import { actor, linkOf, urlOf } from './entities';

const repository = (body: Payload): string => body.object('repository').text('name');

/** One push may change several branches and tags, each with its own topic. The branch filter does not apply to tags. */
function push(body: Payload, given: Circumstances): readonly Notice[] {
  return body.list('changes').flatMap((change) => changeNotice(body, change, given) ?? []);
}

function changeNotice(body: Payload, change: Payload, given: Circumstances): Notice | null {
  const ref = change.object('ref');
  const [kind, name] = [ref.text('type'), ref.text('displayId')];
  const said = lookUp(CHANGES, `${kind} ${change.text('type')}`);
  if (!said) throw unknownEvent('BitBucket Server', `repo:refs_changed.${kind}.${change.text('type')}`);
  if (kind === 'BRANCH' && !isWanted(name, given)) return null;
  const topic = kind === 'BRANCH' ? `${repository(body)} / ${name}` : repository(body);
  return { topic, content: `${actor(body)} ${said(name, change)}.` };
}

/** By the kind of ref and of change. */
const CHANGES: Readonly<Record<string, (name: string, change: Payload) => string>> = {
  'BRANCH ADD': (name) => `created branch ${name}`,
  'BRANCH UPDATE': (name, change) => `pushed to branch ${name}. Head is now ${change.text('toHash')}`,
  'BRANCH DELETE': (name) => `deleted branch ${name}`,
  'TAG ADD': (name) => `pushed tag ${name}`,
  'TAG UPDATE': (name) => `moved tag ${name}`,
  'TAG DELETE': (name) => `removed tag ${name}`,
};

const comment =
  (verb: string, mark = '') =>
  (body: Payload) => {
    const sha = body.text('commit');
    const url = urlOf(body.object('repository')).replace(/browse$/, () => `commits/${sha}`);
    const text = body.object('comment').text('text').trim();
    const said = `${actor(body)} ${verb} on ${linkTo(sha.slice(0, 7), url)}`;
    return { topic: repository(body), content: withQuote(said, text === '' ? '' : mark + text + mark) };
  };

/** The event belongs to the fork, but the topic is the original repository. */
function forked(body: Payload): Notice {
  const copy = body.object('repository');
  return {
    topic: copy.object('origin').text('name'),
    content: `${actor(body)} forked the repository into ${linkOf(copy, copy.text('name'))}.`,
  };
}

/** Only a change of name is reported. */
function modified(body: Payload): Notice {
  const [before, after] = [body.object('old').text('name'), body.object('new').text('name')];
  return {
    topic: after,
    content: `${actor(body)} changed the name of the **${before}** repo from **${before}** to **${after}**.`,
  };
}

export const repositories = {
  'diagnostics:ping': () => ({
    topic: 'Bitbucket Server Ping',
    content: 'Bitbucket Server webhook has been successfully configured.',
  }),
  'repo:refs_changed': push,
  'repo:comment:added': comment('commented'),
  'repo:comment:edited': comment('edited their comment'),
  'repo:comment:deleted': comment('deleted their comment', '~~'),
  'repo:forked': forked,
  'repo:modified': modified,
} as const;
