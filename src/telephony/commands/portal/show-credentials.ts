/** Shows what a telephone needs to register, and writes down who looked. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Wire } from '../../../kernel/text/wire';
import type { credentials as answer } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { maySeeCredentials } from '../../model/extensions/extension-wire';
import { unseal } from '../../model/extensions/sealing';
import { noExtension, notYours } from '../../model/faults';
import { registrarOf } from '../../model/wire';
import { getInstance } from '../../queries/sites/sites';
import * as audit from '../../store/companies/audit';
import * as extensions from '../../store/extensions/extensions';

/** To the owner, and to the user of the extension. */
export async function showCredentials(
  kernel: Storage,
  by: Caller,
  { uuid, id }: { readonly uuid: string; readonly id: string },
): Promise<Wire<typeof answer>> {
  const instance = await getInstance(kernel.mysql, by, uuid);
  return kernel.transaction(async ({ db }) => {
    const sealed = await extensions.byId(db, instance.uuid, id);
    if (!sealed?.isVisible) throw noExtension();
    ensure(maySeeCredentials(by, sealed), notYours('extension'));
    const { number, credentials } = unseal(kernel.secrets, sealed);
    await audit.record(db, by, { action: 'extension.show', object: sealed.id, detail: { number } });
    const { secret, voicemail_vmpwd: pin } = credentials;
    return { server: registrarOf(instance), user_name: String(number), secret, voicemail_pin: pin };
  });
}
