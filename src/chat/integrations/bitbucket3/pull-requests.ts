/** Pull requests on Bitbucket Server, and comments on them. */
import { namesText, numberedLink, withQuote, type Circumstances } from '../git-text';
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { actor, urlOf, userLink } from './entities';

const pullOf = (body: Payload): Payload => body.object('pullRequest');

const linkTo = (pull: Payload, given: Circumstances): string =>
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
  const said = `${actor(body)} ${verb} ${linkTo(pull, given)} from \`${from}\` to \`${to}\`${assigned}`;
  return notice(pull, withQuote(said, pull.textOr('description', '')));
};

const acted =
  (verb: string, end = '') =>
  (body: Payload, given: Circumstances) =>
    notice(pullOf(body), `${actor(body)} ${verb} ${linkTo(pullOf(body), given)}${end}.`);

function reviewersUpdated(body: Payload, given: Circumstances): Notice {
  const reviewers = reviewersOf(pullOf(body));
  const said = reviewers === '' ? acted('removed all reviewers from') : acted('reassigned', ` to ${reviewers}`);
  return said(body, given);
}

const comment =
  (verb: string, mark = '') =>
  (body: Payload, given: Circumstances) => {
    const pull = pullOf(body);
    const text = body.object('comment').text('text').trim();
    const said = `${actor(body)} ${verb} ${linkTo(pull, given)}`;
    return notice(pull, withQuote(said, text === '' ? '' : mark + text + mark));
  };

export const pullRequests = {
  'pr:opened': written('opened'),
  'pr:modified': written('modified'),
  'pr:merged': acted('merged'),
  'pr:declined': acted('declined'),
  'pr:deleted': acted('deleted'),
  'pr:reviewer:approved': acted('approved'),
  'pr:reviewer:unapproved': acted('unapproved'),
  'pr:reviewer:needs_work': acted('marked', ' as "needs work"'),
  'pr:reviewer:updated': reviewersUpdated,
  'pr:comment:added': comment('commented on'),
  'pr:comment:edited': comment('edited their comment on'),
  'pr:comment:deleted': comment('deleted their comment on', '~~'),
} as const;
