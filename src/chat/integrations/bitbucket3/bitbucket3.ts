/** Bitbucket Server and Data Center: pushes, pull requests, comments and other repository events. */
import { byEvent, type Circumstances, isWanted, namesText, numbered, withQuote } from '../git-text';
import type { Integration, Notice } from '../integration';
import { linkTo } from '../text';
import { entryOf, type Payload } from '../payload';

const urlOf = (thing: Payload): string => thing.objectOr('links').listOr('self')[0]?.textOr('href', '') ?? '';

/** Newer servers omit links that they cannot provide. */
const linkOf = (thing: Payload, name: string): string => linkTo(name, urlOf(thing));

const userLink = (user: Payload): string =>
  linkOf(user, user.textOr('name', user.textOr('displayName', 'Unknown user')));

const actor = (body: Payload): string => userLink(body.object('actor'));

const repository = (body: Payload): string => body.object('repository').text('name');

/** One push may change several branches and tags, each with its own topic. The branch filter does not apply to tags. */
function push(body: Payload, given: Circumstances): readonly Notice[] {
  return body.list('changes').flatMap((change) => changeNotice(body, change, given) ?? []);
}

function changeNotice(body: Payload, change: Payload, given: Circumstances): Notice | null {
  const ref = change.object('ref');
  const [kind, name] = [ref.text('type'), ref.text('displayId')];
  const type = change.text('type');
  const said = entryOf(CHANGES, `${kind} ${type}`, 'BitBucket Server', `repo:refs_changed.${kind}.${type}`);
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

/** Quotes the comment, between marks if it is no more. */
function withComment(said: string, body: Payload, mark: string): string {
  const text = body.object('comment').text('text').trim();
  return withQuote(said, text === '' ? '' : mark + text + mark);
}

const commitComment =
  (verb: string, mark = '') =>
  (body: Payload) => {
    const sha = body.text('commit');
    const url = urlOf(body.object('repository')).replace(/browse$/, () => `commits/${sha}`);
    const said = `${actor(body)} ${verb} on ${linkTo(sha.slice(0, 7), url)}`;
    return { topic: repository(body), content: withComment(said, body, mark) };
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

const pullOf = (body: Payload): Payload => body.object('pullRequest');

function numberedPull(body: Payload, given: Circumstances) {
  const pull = pullOf(body);
  const repository = pull.object('toRef').object('repository').text('name');
  return numbered({ repository, name: `PR #${pull.text('id')}`, title: pull.text('title'), url: urlOf(pull) }, given);
}

const reviewersOf = (body: Payload): string =>
  namesText(
    pullOf(body)
      .listOr('reviewers')
      .map((each) => userLink(each.object('user'))),
  );

const written = (verb: string) => (body: Payload, given: Circumstances) => {
  const pull = pullOf(body);
  const { topic, link } = numberedPull(body, given);
  const [from, to] = ['fromRef', 'toRef'].map((side) => pull.object(side).text('displayId'));
  const reviewers = reviewersOf(body);
  const assigned = reviewers === '' ? '' : ` (assigned to ${reviewers} for review)`;
  const said = `${actor(body)} ${verb} ${link} from \`${from}\` to \`${to}\`${assigned}`;
  return { topic, content: withQuote(said, pull.textOr('description', '')) };
};

const acted =
  (verb: string, end = '') =>
  (body: Payload, given: Circumstances) => {
    const { topic, link } = numberedPull(body, given);
    return { topic, content: `${actor(body)} ${verb} ${link}${end}.` };
  };

function reviewersUpdated(body: Payload, given: Circumstances): Notice {
  const reviewers = reviewersOf(body);
  const said = reviewers === '' ? acted('removed all reviewers from') : acted('reassigned', ` to ${reviewers}`);
  return said(body, given);
}

const pullComment =
  (verb: string, mark = '') =>
  (body: Payload, given: Circumstances) => {
    const { topic, link } = numberedPull(body, given);
    return { topic, content: withComment(`${actor(body)} ${verb} ${link}`, body, mark) };
  };

export const bitbucket3: Integration = {
  name: 'bitbucket3',
  client: 'ZulipBitbucket3Webhook',
  eventHeader: 'X-Event-Key',
  eventField: 'eventKey',
  decodesAddress: true,
  format: byEvent('BitBucket Server', {
    'diagnostics:ping': () => ({
      topic: 'Bitbucket Server Ping',
      content: 'Bitbucket Server webhook has been successfully configured.',
    }),
    'repo:refs_changed': push,
    'repo:comment:added': commitComment('commented'),
    'repo:comment:edited': commitComment('edited their comment'),
    'repo:comment:deleted': commitComment('deleted their comment', '~~'),
    'repo:forked': forked,
    'repo:modified': modified,
    'pr:opened': written('opened'),
    'pr:modified': written('modified'),
    'pr:merged': acted('merged'),
    'pr:declined': acted('declined'),
    'pr:deleted': acted('deleted'),
    'pr:reviewer:approved': acted('approved'),
    'pr:reviewer:unapproved': acted('unapproved'),
    'pr:reviewer:needs_work': acted('marked', ' as "needs work"'),
    'pr:reviewer:updated': reviewersUpdated,
    'pr:comment:added': pullComment('commented on'),
    'pr:comment:edited': pullComment('edited their comment on'),
    'pr:comment:deleted': pullComment('deleted their comment on', '~~'),
  }),
};
