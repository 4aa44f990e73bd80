/** The names of the company's people who wrote texts. Each is asked for once. */
import { useEffect } from 'react';
import { create } from 'zustand';
import { RequestError } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useSignedIn } from '../session/session';
import { nameOf, type Contact } from '../wire';

const useNames = create<{ readonly names: ReadonlyMap<string, string> }>(() => ({ names: new Map() }));
const asked = new Set<string>();

async function ask(id: string): Promise<void> {
  if (asked.has(id)) return;
  asked.add(id);
  try {
    const contact = await api.get<Contact>(`/company/contacts/${id}`);
    keep(id, nameOf(contact));
  } catch (error) {
    const isGone = error instanceof RequestError && error.status === 404;
    if (isGone) keep(id, t('portal.formerColleague'));
    // Another failure is made up when the next text of this person is shown.
    else asked.delete(id);
  }
}

const keep = (id: string, name: string): void =>
  useNames.setState(({ names }) => ({ names: new Map(names).set(id, name) }));

/** Empty until it is known, and for nobody. */
export function useColleague(id: string | null): string {
  const { contact_id: ownId } = useSignedIn();
  const known = useNames(({ names }) => (id === null ? '' : names.get(id))) ?? '';
  const isAsked = id !== null && id !== ownId && known === '';
  useEffect(() => {
    if (isAsked) void ask(id);
  }, [isAsked, id]);
  return id === ownId ? t('portal.you') : known;
}
