/** Tells the dial plan which domain a company's space has, and which space a domain. */
import type { Space } from '../../model/sites/site';
import { isMissing, type Ami, type AmiBlock } from '../pbx-instance/asterisk-ami';
import type { CallContext } from '../pbx-instance/driver';

const FAMILY = 'partyline';

/** Before anything that needs it is written: what the dial plan does not know rings nobody. */
export async function keepSpace(ami: Ami, { code, domain }: Space, step: () => CallContext): Promise<void> {
  if (domain === undefined) return;
  const rows = [
    [`space/${code}`, domain],
    [`domain/${domain}`, code],
  ] as const;
  for (const [key, value] of rows) {
    const held = await ami.ask('DBGet', { Family: FAMILY, Key: key }, step()).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return [] as readonly AmiBlock[];
    });
    if (held.some(({ Val: found }) => found === value)) continue;
    await ami.ask('DBPut', { Family: FAMILY, Key: key, Val: value }, step());
  }
}
