/** Bitbucket Server and Data Center: pushes, pull requests, comments and other repository events. */
import { type Circumstances, isWanted, namesText, numberedLink, withQuote } from '../git-text';
import { type Formatted, type Integration, type Notice, unknownEvent } from '../integration';
import { linkTo } from '../text';
import { lookUp, Payload } from '../payload';

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

const commitComment =
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

/** Events about a Bitbucket Server repository as a whole. */
const repositories = {
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
} as const;

const pullOf = (body: Payload): Payload => body.object('pullRequest');

const pullLink = (pull: Payload, given: Circumstances): string =>
  numberedLink(`PR #${pull.text('id')}`, pull.text('title'), urlOf(pull), given);

const notice = (pull: Payload, content: string): Notice => ({
  topic: `${pull.object('toRef').object('repository').text('name')} / PR #${pull.text('id')} ${pull.text('title')}`,
  content,
});

const reviewersOf = (pull: Payload): string =>
  namesText(pull.listOr('reviewers').map((each) => userLink(each.object('user'))));

const written = (verb: string) => (body: Payload, given: Circumstances) => {
  const pull = pullOf(body);
  const [from, to] = ['fromRef', 'toRef'].map((side) => pull.object(side).text('displayId'));
  const reviewers = reviewersOf(pull);
  const assigned = reviewers === '' ? '' : ` (assigned to ${reviewers} for review)`;
  const said = `${actor(body)} ${verb} ${pullLink(pull, given)} from \`${from}\` to \`${to}\`${assigned}`;
  return notice(pull, withQuote(said, pull.textOr('description', '')));
};

const acted =
  (verb: string, end = '') =>
  (body: Payload, given: Circumstances) =>
    notice(pullOf(body), `${actor(body)} ${verb} ${pullLink(pullOf(body), given)}${end}.`);

function reviewersUpdated(body: Payload, given: Circumstances): Notice {
  const reviewers = reviewersOf(pullOf(body));
  const said = reviewers === '' ? acted('removed all reviewers from') : acted('reassigned', ` to ${reviewers}`);
  return said(body, given);
}

const pullComment =
  (verb: string, mark = '') =>
  (body: Payload, given: Circumstances) => {
    const pull = pullOf(body);
    const text = body.object('comment').text('text').trim();
    const said = `${actor(body)} ${verb} ${pullLink(pull, given)}`;
    return notice(pull, withQuote(said, text === '' ? '' : mark + text + mark));
  };

/** Pull requests on Bitbucket Server, and comments on them. */
const pullRequests = {
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
} as const;

const formats: Readonly<Record<string, (body: Payload, given: Circumstances) => Formatted>> = {
  ...repositories,
  ...pullRequests,
};

export const bitbucket3: Integration = {
  name: 'bitbucket3',
  client: 'ZulipBitbucket3Webhook',
  eventHeader: 'X-Event-Key',
  eventField: 'eventKey',
  decodesAddress: true,
  format({ payload, event, ...given }) {
    const format = lookUp(formats, event);
    if (!format) throw unknownEvent('BitBucket Server', event);
    return format(new Payload(payload), given);
  },
};
