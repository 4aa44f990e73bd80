/** The company's faxes. Their PDF opens in another tab. */
import { useState } from 'react';
import { DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { FormError } from '../../shared/forms/section';
import { Pager } from '../../shared/tables/pager';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
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

export function Faxes() {
  const [page, setPage] = useState(1);
  const faxes = useLoaded(`faxes ${page}`, () => api.list<Fax>('/fax/messages', { page, per_page: PAGE }));
  const read = async ({ id, is_read: isRead }: Fax): Promise<void> => {
    if (isRead) return;
    await api.patch(`/fax/messages/${id}`, { is_read: true });
    await faxes.reload();
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
          <tr key={fax.id}>
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
