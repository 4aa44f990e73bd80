/** Ring groups of a FreePBX, by the mutations of its module ringgroups. */
import type { RingGroupData } from '../../model/arrangements/arrangement';
import { settingsText } from '../../model/extensions/call-settings';
import { freePbxPlace } from './freepbx-places';
import type { FreePbxKind } from './freepbx-arrangements';
import { NotThere, type CallContext } from '../pbx-instance/driver';
import {
  FreePbxError,
  orIfNone,
  sendChange,
  throwFailedChange,
  type FreePbxApi,
} from '../pbx-instance/freepbx/freepbx-api';
import * as queries from '../pbx-instance/freepbx/freepbx-queries';
import { pageDeadlines, untilDeadline } from '../pbx-instance/pbx-http';

const MAX_NAME = 35;
const MAX_MEMBERS = 255;

/** A number outside is dialled without its plus, and ends with a `#`. */
const bare = (member: string): string => member.replaceAll(/[+#]/g, '');

interface Settings {
  readonly description: string;
  readonly strategy: string;
  readonly members: string;
  readonly time: number;
  readonly prefix: string;
  readonly next: string;
}

/** Whether a member is outside is the PBX's to know, so it is no part of the content. */
const contentOf = (settings: Settings): string => settingsText({ ...settings });

const wantedOf = ({ name, members, strategy, ring_time: time, prefix, no_answer: next }: RingGroupData): Settings => ({
  description: name,
  strategy,
  members: members.map(bare).join('-'),
  time,
  prefix,
  next: freePbxPlace(next),
});

const heldOf = (group: queries.ShownRingGroup) => ({
  number: Number(group.groupNumber),
  content: contentOf({
    description: group.description ?? '',
    strategy: group.strategy ?? '',
    members: bare(group.groupList ?? ''),
    time: Number(group.groupTime),
    prefix: group.groupPrefix ?? '',
    next: group.postAnswer ?? '',
  }),
});

const ensureFits = (text: string, field: string, most: number): void => {
  if (text.length > most)
    throw new NotThere(`${field}: takes ${text.length} characters on the PBX, and may take ${most}`);
};

/** The extensions that the PBX has, to tell members outside from them. */
type Extensions = (context: CallContext) => Promise<readonly number[]>;

export function freePbxRingGroups(api: FreePbxApi, extensions: Extensions): FreePbxKind<'ring-group'> {
  async function listOf(members: readonly string[], context: CallContext): Promise<string> {
    const isDoubtful = members.some((member) => !member.startsWith('+'));
    const own = new Set(isDoubtful ? (await extensions(context)).map(String) : []);
    return members.map((member) => (own.has(member) ? member : `${bare(member)}#`)).join('-');
  }

  return {
    contentOf: (data) => contentOf(wantedOf(data)),
    async put({ number, data }, isThere, context) {
      const step = untilDeadline(context);
      const { description, strategy, time, prefix, next } = wantedOf(data);
      const extensionList = await listOf(data.members, step());
      ensureFits(description, 'name', MAX_NAME);
      ensureFits(extensionList, 'members', MAX_MEMBERS);
      const input = {
        groupNumber: String(number),
        description,
        strategy,
        extensionList,
        ringTime: String(time),
        // Without one, FreePBX 16 would put "ringall" before every name.
        groupPrefix: prefix,
        postAnswer: next,
        clientMutationId: context.key,
      };
      if (!isThere) return sendChange(api, queries.ADD_RING_GROUP, input, step());
      // It deletes before it adds.
      await sendChange(api, queries.UPDATE_RING_GROUP, input, step()).catch(throwFailedChange);
    },
    async remove(number, context) {
      const input = { groupNumber: number, clientMutationId: context.key };
      await sendChange(api, queries.DELETE_RING_GROUP, input, context).catch(throwFailedChange);
    },
    async get(number, context) {
      const found = await api
        .ask<queries.ShownRingGroup>(queries.RING_GROUP, { number: String(number) }, context)
        .catch(orIfNone);
      return found && heldOf(found);
    },
    async list(context) {
      const step = pageDeadlines(context);
      const { ringgroups } = await api.ask<queries.ShownRingGroups>(queries.RING_GROUPS, {}, step());
      if (!Array.isArray(ringgroups)) throw new FreePbxError('failed', 'no list of ring groups');
      return ringgroups.map(heldOf);
    },
  };
}
