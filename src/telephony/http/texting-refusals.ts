/** What the routes of texting may refuse, for the OpenAPI document. */
import type { Fault } from '../../kernel/fault';
import { invalid, notOwner } from '../model/faults';
import * as faults from '../model/texting-faults';
import type { E164 } from '../model/texting';

const ours = '+15550100001' as E164;
const theirs = '+15550100003' as E164;

const under = (list: string): Readonly<Record<string, readonly Fault[]>> => {
  const one = `${list}/:conversation_id`;
  const gone = [faults.noConversation(), faults.noMessage()];
  const sending = [
    invalid('text: must not be empty without files'),
    faults.optedOut(ours, [theirs]),
    faults.notOurNumber(ours),
    faults.usedForAnother('stamp_id', 'message'),
    faults.noConversation(),
  ];
  return {
    [`post ${list}`]: [
      invalid('recipients: is required'),
      faults.whichNumber(),
      faults.notOurNumber(ours),
      faults.noTextingContact(),
    ],
    [`get ${one}`]: [faults.noConversation()],
    [`delete ${one}`]: [faults.noConversation()],
    [`post ${one}/pin`]: [faults.noConversation()],
    [`get ${one}/messages`]: gone,
    [`post ${one}/messages`]: sending,
    [`post ${one}/messages/publish`]: sending,
    [`delete ${one}/messages`]: [invalid('ids: name the messages to delete'), ...gone],
    [`delete ${one}/messages/:message_id`]: gone,
    [`post ${one}/read`]: [invalid('messagesIds: must not be empty'), ...gone],
  };
};

const contact = '/texting/contacts/:texting_contact_id';
const changed = [faults.contactTaken(theirs), faults.noTextingContact()];

export const textingRefusals: Readonly<Record<string, readonly Fault[]>> = {
  ...under('/texting/conversations'),
  ...under('/texting/v2/conversations'),
  'post /texting/contacts': [faults.contactTaken(theirs)],
  [`get ${contact}`]: [faults.noTextingContact()],
  [`put ${contact}`]: changed,
  [`patch ${contact}`]: changed,
  [`delete ${contact}`]: [faults.noTextingContact()],
  'post /texting/optouts': [faults.notOurNumber(ours)],
  'delete /texting/optouts': [notOwner(), faults.noOptOut()],
  'delete /texting/optouts/:optout_id': [notOwner(), faults.noOptOut()],
};
