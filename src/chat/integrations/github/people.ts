/** Members, teams and stars of a GitHub repository. */
import type { Notice } from '../integration';
import { lookUp, type Payload } from '../payload';
import { about, repository, repositoryUrl, sender, userLink } from './entities';

const MEMBER_VERBS: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  added: ['added', 'to'],
  removed: ['removed', 'from'],
  edited: ['changed the permissions of', 'on'],
};

function member(body: Payload): Notice {
  const action = body.text('action');
  const [verb, preposition] = lookUp(MEMBER_VERBS, action) ?? [action, 'to'];
  const link = `[${repository(body)}](${repositoryUrl(body)})`;
  return about(body, `${sender(body)} ${verb} ${userLink(body.object('member'))} ${preposition} ${link}.`);
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

const teamAdded = (body: Payload): Notice =>
  about(body, `[The repository](${repositoryUrl(body)}) was added to team ${body.object('team').text('name')}.`);

const starred = (verb: string) => (body: Payload) =>
  about(body, `${sender(body)} ${verb} the repository [${repository(body)}](${repositoryUrl(body)}).`);

export const people = {
  member,
  membership,
  team_add: teamAdded,
  watch: starred('starred'),
  star: (body: Payload) => starred(body.text('action') === 'deleted' ? 'unstarred' : 'starred')(body),
} as const;
