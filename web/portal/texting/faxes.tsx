/** The company's faxes. Their PDF opens in another tab. */
import { useState } from 'react';
import { RequestError } from '../../shared/http/request';
import { DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { FormError } from '../../shared/forms/section';
import { Pager } from '../../shared/tables/pager';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { closeReadPushes } from '../push/pushed';
import { OpenFile } from './shared-file';

interface Fax {
  readonly id: string;
  readonly created_at: string;
  readonly file: { readonly id: string } | null;
  readonly from: string;
  readonly from_name: string;
  readonly to: string;
  readonly to_name: string;
  readonly pages: number;
  readonly subject: string;
  readonly is_read: boolean;
}

const PAGE = 50;

/** A notification may lead to a fax that was deleted. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof RequestError && error.status === 404)) throw error;
}

/** With the id of a fax to show before all others, which may be on another page of the list. */
export function Faxes({ chosen }: { chosen: string }) {
  const [page, setPage] = useState(1);
  const faxes = useLoaded(`faxes ${page} ${chosen}`, async () => {
    const [list, first] = await Promise.all([
      api.list<Fax>('/fax/messages', { page, per_page: PAGE }),
      chosen === '' ? undefined : api.get<Fax>(`/fax/messages/${chosen}`).catch(unlessGone),
    ]);
    return { ...list, items: [...(first ? [first] : []), ...list.items.filter(({ id }) => id !== chosen)] };
  });
  const read = async ({ id, is_read: isRead }: Fax): Promise<void> => {
    if (isRead) return;
    await api.patch(`/fax/messages/${id}`, { is_read: true });
    await Promise.all([faxes.reload(), closeReadPushes()]);
  };
  return (
    <>
      <FormError text={faxes.error} />
      <DataTable
        label={t('portal.faxes')}
        heads={[t('portal.when'), t('portal.faxFrom'), t('portal.faxTo'), t('portal.faxPages'), t('portal.faxFile')]}
        isLoading={faxes.isLoading}
      >
        {faxes.value?.items.map((fax) => (
          <tr key={fax.id} aria-current={fax.id === chosen || undefined}>
            <td>{new Date(fax.created_at).toLocaleString(useLanguage.getState().locale)}</td>
            <td>
              {fax.is_read ? fax.from : <b>{fax.from}</b>}
              <small>{fax.from_name}</small>
            </td>
            <td>
              {fax.to}
              <small>{fax.to_name}</small>
            </td>
            <td>{fax.pages}</td>
            <td>
              {fax.file && (
                <span onClickCapture={() => tell(read(fax))}>
                  <OpenFile id={fax.file.id} label={fax.subject || t('portal.openFax')} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
      {faxes.value?.total === 0 && <p>{t('portal.noFaxes')}</p>}
      <Pager page={page} size={PAGE} total={faxes.value?.total ?? 0} onPage={setPage} />
    </>
  );
}
