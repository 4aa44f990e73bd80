/** The wire formats of ring groups, numbers from outside and forwards. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/arrangements';
import type { Extension } from '../extensions/extension';
import { NO_FORWARDS, type Arrangement, type Destination, type ForwardsData, type MadeKind } from './arrangement';

const destinationObject = (destination: Destination): Wire<typeof answers.destination> => ({ ...destination });

const stamps = ({ createdAt, updatedAt }: Pick<Arrangement, 'createdAt' | 'updatedAt'>) => ({
  created: createdAt.toISOString(),
  updated: updatedAt.toISOString(),
});

export const ringGroupObject = (group: Arrangement<'ring-group'>): Wire<typeof answers.ringGroup> => ({
  id: group.id,
  instance_uuid: group.instance,
  number: group.number,
  name: group.data.name,
  members: group.data.members,
  strategy: group.data.strategy,
  ring_time: group.data.ring_time,
  prefix: group.data.prefix,
  no_answer: group.data.no_answer && destinationObject(group.data.no_answer),
  ...stamps(group),
});

export const numberObject = (number: Arrangement<'number'>): Wire<typeof answers.outsideNumber> => ({
  id: number.id,
  instance_uuid: number.instance,
  number: `+${number.number}`,
  name: number.data.name,
  destination: destinationObject(number.data.destination),
  ...stamps(number),
});

export const madeObject = (made: Arrangement<MadeKind>) =>
  made.kind === 'number'
    ? numberObject(made as Arrangement<'number'>)
    : ringGroupObject(made as Arrangement<'ring-group'>);

interface ForwardsView {
  readonly data: ForwardsData;
  readonly source: Arrangement['source'] | null;
  readonly updatedAt: Date | null;
}

/** Before anybody has set any. */
export const UNSET: ForwardsView = { data: NO_FORWARDS, source: null, updatedAt: null };

export const forwardsObject = (
  { id, pbx, number }: Pick<Extension, 'id' | 'pbx' | 'number'>,
  { data, source, updatedAt }: ForwardsView,
): Wire<typeof answers.forwards> => ({
  instance_uuid: pbx,
  extension_id: id,
  number,
  do_not_disturb: data.do_not_disturb,
  always: data.always,
  busy: data.busy,
  no_answer: data.no_answer,
  source,
  updated: updatedAt?.toISOString() ?? null,
});
