/** Recordings that an Asterisk keeps: of calls, and messages of mailboxes where the operator has linked their folder. */
import { Readable } from 'node:stream';
import { openHttpStream, partOf } from '../../../kernel/outbound/http-stream';
import type { ByteRange } from '../../../kernel/files/byte-range';
import type { AsteriskApi } from '../pbx-instance/asterisk-api';
import { PbxError, type CallContext } from '../pbx-instance/driver';

export interface OpenSound {
  readonly size: number;
  /** Read at most once; `discard` if not at all. */
  chunks(part: ByteRange | undefined): AsyncIterable<Buffer>;
  discard(): void;
}

export interface AsteriskSounds {
  /** Undefined if there is none of this name. */
  open(name: string, context: CallContext): Promise<OpenSound | undefined>;
  /** One that is not there counts as removed. */
  remove(name: string, context: CallContext): Promise<void>;
}

interface Place {
  readonly api: AsteriskApi;
  readonly address: string;
  readonly credentials: string;
}

export function asteriskSounds({ api, address, credentials }: Place): AsteriskSounds {
  const root = `${address.replace(/\/(ari\/?)?$/, '')}/ari/recordings/stored`;
  const headers = { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  return {
    async open(name, { deadlineMs }) {
      const url = new URL(`${root}/${encodeURIComponent(name)}/file`);
      const { status, length, body } = await openHttpStream(url, { headers, deadlineMs }).catch((error: unknown) => {
        throw new PbxError('away', 'The PBX cannot be reached', error);
      });
      if (status === 200 && length !== undefined) {
        return {
          size: length,
          chunks: (part) => (part ? Readable.from(partOf(body, part.from, part.to)) : body),
          discard: () => void body.destroy(),
        };
      }
      body.destroy();
      if (status === 404) return undefined;
      throw new PbxError(status < 500 ? 'refused' : 'error', `The PBX answered ${status} for a recording`);
    },
    async remove(name, context) {
      try {
        await api.call('DELETE', `/recordings/stored/${encodeURIComponent(name)}`, context);
      } catch (error) {
        if (!(error instanceof PbxError) || !/404: Recording not found/.test(error.message)) throw error;
      }
    },
  };
}
