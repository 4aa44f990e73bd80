/** The records of calls that have ended, which the dial plan keeps in AstDB until they are stored here. */
import { readRecord, type CallRecord } from '../../model/calls/call-record';
import { AmiRefused, type Ami } from '../pbx-instance/asterisk-ami';
import type { CallContext } from '../pbx-instance/driver';

const FAMILY = 'partyline';

export interface WaitingRecord {
  readonly key: string;
  /** Undefined if it makes no sense. */
  readonly record: CallRecord | undefined;
}

export interface AsteriskRecords {
  /** From now on the dial plan writes down each call. */
  begin(context: CallContext): Promise<void>;
  list(context: CallContext): Promise<WaitingRecord[]>;
  /** One that is not there counts as removed. */
  remove(key: string, context: CallContext): Promise<void>;
}

export function asteriskRecords(ami: Ami, space: string): AsteriskRecords {
  return {
    async begin(context) {
      await ami.ask('DBPut', { Family: FAMILY, Key: `records/${space}`, Val: '1' }, context);
    },
    async list(context) {
      const [, ...events] = await ami.ask('DBGetTree', { Family: FAMILY, Key: `done/${space}` }, context);
      return events.flatMap(({ Key: key, Val: value = '' }) => {
        if (key === undefined) return [];
        const callId = key.slice(key.lastIndexOf('/') + 1);
        return [{ key: `done/${space}/${callId}`, record: readRecord(callId, value) }];
      });
    },
    async remove(key, context) {
      await ami.ask('DBDel', { Family: FAMILY, Key: key }, context).catch((error: unknown) => {
        if (!(error instanceof AmiRefused) || !/could not be deleted|not found/i.test(error.said)) throw error;
      });
    },
  };
}
