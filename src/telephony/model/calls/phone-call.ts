/** A call that somebody begins by a click: their telephone rings first, then the number. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/phone-calls';
import type { Extension } from '../extensions/extension';
import type { Operation } from '../extensions/operation';

export interface CallOrder {
  readonly to: string;
}

export const callObject = (
  { id, createdAt }: Pick<Operation, 'id' | 'createdAt'>,
  extension: Pick<Extension, 'id' | 'pbx' | 'number'>,
  to: string,
): Wire<typeof answers.phoneCall> => ({
  id,
  instance_uuid: extension.pbx,
  extension_id: extension.id,
  from: extension.number,
  to,
  created: createdAt.toISOString(),
});
