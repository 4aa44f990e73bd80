/** The messages in the mailboxes of whoever has signed in. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../shared/forms/parts';
import { FormError, Section } from '../../shared/forms/section';
import { Actions, Badge, DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import type { Extension } from '../wire';
import { Party } from './party';
import { Player } from './player';
import { lengthOf, type Message } from './wire';

export function Messages() {
  const { contact_id: ownId } = useSignedIn();
  const own = useLoaded('own', () => api.list<Extension>(`/account/${ownId}/extensions`));
  return (
    <>
      <FormError text={own.error} />
      {own.value?.items.map((extension) => (
        <Mailbox key={extension._id} extension={extension} />
      ))}
    </>
  );
}

/** Nothing on a PBX that does not show its mailboxes. */
function Mailbox({ extension: { _id: id, pbx, data } }: { extension: Extension }) {
  const path = `/instances/${pbx}/extensions/${id}/messages`;
  const messages = useLoaded(path, () => api.list<Message>(path).catch(() => undefined));
  const [deleted, setDeleted] = useState<Message>();
  if (!messages.value) return null;
  const title = t('portal.calls.mailbox', { number: data.id });
  const { items } = messages.value;
  return (
    <Section title={title}>
      {items.length === 0 && <p>{t('portal.calls.noMessages')}</p>}
      {items.length > 0 && (
        <DataTable label={title} heads={[t('portal.when'), t('portal.calls.from'), t('portal.calls.length'), '']}>
          {items.map((message) => {
            const at = message.at === null ? '' : new Date(message.at).toLocaleString(useLanguage.getState().locale);
            return (
              <tr key={message.id}>
                <td>
                  {at} {message.is_new && <Badge tone="good">{t('portal.calls.new')}</Badge>}
                </td>
                <td>
                  <Party number={message.from} name={message.from_name} />
                </td>
                <td>{lengthOf(message.seconds)}</td>
                <td>
                  <Actions>
                    <Player path={`${path}/${message.id}/content`} label={t('portal.calls.hearMessage', { at })} />
                    <Button size="compact-sm" variant="default" onClick={() => setDeleted(message)}>
                      {t('portal.delete')}
                    </Button>
                  </Actions>
                </td>
              </tr>
            );
          })}
        </DataTable>
      )}
      {deleted && (
        <Confirm
          title={t('portal.calls.deleteMessage')}
          action={t('portal.delete')}
          onConfirm={async () => {
            await api.remove(`${path}/${deleted.id}`);
            await messages.reload();
          }}
          onClose={() => setDeleted(undefined)}
        >
          <p>{t('portal.calls.deleteMessageHint')}</p>
        </Confirm>
      )}
    </Section>
  );
}
