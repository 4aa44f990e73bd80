/** The company's faxes. Their PDF opens in another tab. */
import { useState } from 'react';
import { t, useLanguage } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { FormError } from '../forms/parts';
import { Pager } from '../forms/pager';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { OpenFile } from './shared-file';
import table from '../forms/table.module.css';

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
      <div className={table.wrap} tabIndex={0} role="region" aria-label={t('portal.faxes')}>
        <table className={table.table} aria-busy={faxes.isLoading}>
          <thead>
            <tr>
              <th>{t('portal.when')}</th>
              <th>{t('portal.faxFrom')}</th>
              <th>{t('portal.faxTo')}</th>
              <th>{t('portal.faxPages')}</th>
              <th>{t('portal.faxFile')}</th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </div>
      {faxes.value?.total === 0 && <p>{t('portal.noFaxes')}</p>}
      <Pager page={page} size={PAGE} total={faxes.value?.total ?? 0} onPage={setPage} />
    </>
  );
}
