/** All that an Asterisk offers besides its extensions: events of lines and calls, records, recordings and messages. */
import type { Kernel } from '../../../kernel/kernel';
import { numberIn, spaceOf, suffixOf, type Instance, type Space } from '../../model/sites/site';
import type { AmiSessions } from '../pbx-instance/asterisk-ami';
import { asteriskApi } from '../pbx-instance/asterisk-api';
import { asteriskLine, type AsteriskLine } from './asterisk-line';
import { asteriskMessages, type AsteriskMessages } from './asterisk-messages';
import { asteriskRecords, type AsteriskRecords } from './asterisk-records';
import { asteriskSounds, type AsteriskSounds } from './asterisk-sounds';

export interface CallsSide {
  readonly line: AsteriskLine;
  readonly sounds: AsteriskSounds;
  /** Undefined without an AMI user. */
  readonly records: AsteriskRecords | undefined;
  readonly messages: AsteriskMessages | undefined;
  readonly space: Space;
  /** The number of an extension of this instance; undefined for a trunk, and for extensions of others. */
  readonly numberAt: (endpoint: string) => number | undefined;
}

type Connected = Instance & { readonly credentials?: string | null };

export function callsSideOf(kernel: Pick<Kernel, 'secrets'>, instance: Connected, sessions: AmiSessions): CallsSide {
  const { address, uuid } = instance;
  const credentials = instance.credentials ? kernel.secrets.decrypt(instance.credentials) : '';
  const place = { api: asteriskApi(address, credentials), address, credentials };
  const ami = sessions.of(instance, kernel.secrets);
  const sounds = asteriskSounds(place);
  const space = spaceOf(instance);
  return {
    line: asteriskLine({ ...place, app: `partyline-${uuid}` }),
    sounds,
    records: ami && asteriskRecords(ami, space.code),
    messages: ami && asteriskMessages(ami, sounds, space.code),
    space,
    numberAt: (endpoint) => numberIn(endpoint, suffixOf(space)),
  };
}
