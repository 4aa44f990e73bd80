/** The wire format of an extension. Credentials are masked for callers who may not see them. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/extensions';
import type { CallStatus } from '../calls/line';
import type { Caller, Contact } from '../contacts/contact';
import { kindOf } from '../sites/backends';
import type { Instance } from '../sites/site';
import { contactObject, registrarOf } from '../wire';
import { warningsFor } from './backend-fields';
import { MASK, readCallerId, type Extension } from './extension';

/** Everything that the wire format needs. */
export interface ExtensionView {
  readonly extension: Extension;
  readonly user: Contact | null;
  readonly instance: Instance;
  /** Whether a phone is registered right now. Undefined: the PBX does not say, or was not asked. */
  readonly isRegistered?: boolean | undefined;
  /** What its phone is doing. Undefined: nobody listens to this kind of PBX. */
  readonly callStatus?: CallStatus | undefined;
  /** What the answer to an order warns of, in place of all that is set. */
  readonly warnings?: readonly string[] | undefined;
}

const stateOf = (isRegistered: boolean | undefined) => {
  if (isRegistered === undefined) return 'UNKNOWN';
  return isRegistered ? 'AUTHENTICATED' : 'UNAUTHENTICATED';
};

export const maySeeCredentials = (by: Pick<Caller, 'isOwner' | 'contactId'>, { userId }: Pick<Extension, 'userId'>) =>
  by.isOwner || userId === by.contactId;

export function extensionObject(
  view: ExtensionView,
  withCredentials: boolean,
  now: Date,
): Wire<typeof answers.extension> {
  const { extension, user, instance } = view;
  const { id, number, data, credentials } = extension;
  const shown = (word: string) => (withCredentials || word === '' ? word : MASK);
  const secret = shown(credentials.secret);
  const brief = { id, number, name: String(data['name']), description: String(data['description']) };
  return {
    _id: id,
    data: {
      id: number,
      extension: number,
      ...data,
      secret,
      password: shown(credentials.password),
      voicemail_vmpwd: shown(credentials.voicemail_vmpwd),
    },
    location_id: extension.locationId,
    outbound_callerid: readCallerId(String(data['outboundcid'])),
    pbx: extension.pbx,
    phone: [
      {
        _id: id,
        company: extension.companyId,
        data: {
          reg: [
            {
              displayname: brief.name,
              label: String(number),
              password: secret,
              server: [{ address: registrarOf(instance) }],
              userid: number,
            },
          ],
        },
      },
    ],
    extensions: [],
    purpose: extension.purpose,
    reserved: { config_id: '', to: '' },
    subscriber: { call_status: view.callStatus ?? '', extension_id: id, state: stateOf(view.isRegistered) },
    user: user && contactObject(user, brief, now),
    warnings: view.warnings ?? warningsFor(kindOf(instance), extension),
    created: extension.createdAt.toISOString(),
    updated: extension.updatedAt.toISOString(),
  };
}
