/** Lists a contact's sessions and the company's API keys. */
import { ensure } from '../../../kernel/fault';
import type { PortalKey, PortalSessions } from '../../model/answers/portal';
import type { NamedKey } from '../../model/companies/key';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import type { Telephony } from '../../parts';
import * as keys from '../../store/companies/keys';
import * as sessions from '../../store/portal/sessions';
import { findSession } from './find-session-caller';

/** The token tells which session is the current one. */
export async function listSessions(
  { kernel, settings }: Telephony,
  by: Caller,
  token: string,
): Promise<PortalSessions> {
  const days = settings.sessionDays;
  const current = await findSession(kernel, { token, from: by.from, days });
  const found = await sessions.list(kernel.mysql, by.contactId, days);
  return found.map(({ id, agent, address, openedBy, createdAt, lastUsedAt }) => ({
    id,
    agent,
    address,
    opened_by: openedBy,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    current: id === current?.id,
  }));
}

export const keyObject = ({ id, name, rights, createdAt, lastUsedAt, endsAt }: NamedKey): PortalKey => ({
  id,
  name,
  rights,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  ends_at: endsAt?.toISOString() ?? null,
});

export async function listKeys({ kernel }: Telephony, by: Caller): Promise<PortalKey[]> {
  ensure(by.isOwner, notOwner());
  return (await keys.list(kernel.mysql, by.companyId)).map(keyObject);
}
