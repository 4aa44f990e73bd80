/** Says before somebody writes that the other side has asked for no more texts. */
import { useEffect, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Note } from '../../shared/ui/note';
import { api } from '../http/api';
import { contactName, type Conversation, type TextMessage } from './wire';

interface OptOut {
  readonly number: string;
}

/** The numbers of the conversation that opted out. Asked again after each text from them, which may be STOP or START. */
export function useOptOuts(
  conversation: Conversation | undefined,
  messages: readonly TextMessage[],
): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  const ours = conversation?.from_number ?? '';
  const theirs = (conversation?.contactsinfo ?? []).map(({ number }) => number).join();
  const lastInbound = messages.findLast(({ direction }) => direction === 'inbound')?.id;
  useEffect(() => {
    if (ours === '' || theirs === '') return;
    const ask = async (number: string): Promise<string[]> => {
      const { items } = await api.list<OptOut>('/texting/optouts', { from_number: ours, number });
      return items.length > 0 ? [number] : [];
    };
    // The server refuses to send anyway, so an answer that fails is no harm.
    Promise.all(theirs.split(',').map(ask)).then(
      (each) => setFound(each.flat()),
      () => undefined,
    );
  }, [ours, theirs, lastInbound]);
  return found;
}

export function OptOutNote({ optOuts, conversation }: { optOuts: readonly string[]; conversation: Conversation }) {
  const names = conversation.contactsinfo.filter(({ number }) => optOuts.includes(number)).map(contactName);
  if (names.length === 0) return null;
  return (
    <Note isBad role="status">
      {t('portal.optedOut', { names: names.join(', '), number: conversation.from_number })}
    </Note>
  );
}
